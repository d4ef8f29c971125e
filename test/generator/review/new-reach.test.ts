import { expect, test } from "vitest";
import { printMarkdown } from "#generator/review/markdown";
import { printReport } from "#generator/review/print-report";
import { project } from "../support/project.ts";

const title = { title: { type: "string" }, cost: { type: "integer" } };
const gates = { cost: { read: ["admin"], write: ["staff"] } };

// biome-ignore format: one case a line
test.each([
  ["a role that only a field gate names", { fetch: [{ role: "*" }] }, "everyone by fetch, count, exists"],
  ["such a role among those who signed in", { fetch: [{ role: "signed_in" }], delete: [{ role: "admin" }] },
    "admin by delete; open to everyone who signed in by fetch, count, exists"],
  ["a role with further rows", { fetch: [{ role: "*", condition: "cost < 5" }, { role: "admin" }] },
    "everyone by fetch, count, exists; open to admin by fetch, count, exists"],
] as const)("to whom a new model is open: %s", async (_, access, text) => {
  const made = await project({ books: { fields: title, access: { ...access, fields: gates } } }).generate();
  const report = made.report === null ? "" : printReport(made.report, "wrote");
  expect(report).toContain(`  books is open to ${text}\n`);
  expect(printMarkdown(made).replaceAll("`", "")).toContain(text.replaceAll("open to ", ""));
});
