import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderDiagnostics } from "#generator/diagnostics/index";
import { printReport } from "#generator/review/print-report";
import { filesBelow, project, repository } from "../../../test/generator/support/project.ts";
import { exampleFolders, missingPaths, pages } from "../../../test/support/docs.ts";

const readme = pages.get("README.md") ?? "";

/** What a project may have, and this one has not. */
const elsewhere = [
  "models/access-acknowledged.json",
  // With typescript.kysely.
  "generated/database.ts",
  "models/hooks/graphql.ts",
  // The recipes, which test/docs/code-recipes.test.ts plays.
  "models/hooks/invoices.ts",
  "generated/models/invoices/model.ts",
  "models/jobs/remind-of-invoices.ts",
  "models/routes/orders-export.ts",
  "models/routes/challenge.ts",
  "models/routes/payment-events.ts",
  // The tutorial on pagila.
  "generated/models/film/model.ts",
  "models/jobs/remind.ts",
  "models/jobs/tell-warehouse.ts",
  "models/routes/slots.ts",
  "models/mails/verify-email.html",
  "generated/models/users/",
  "generated/models/users/model.ts",
  "generated/models/users/policy.ts",
  "generated/migrations/0001_baseline.ts",
  "generated/migrations/0002_rename_users_to_app_users.ts",
];

/** The page of another app, which its own test plays. */
const others = "docs/code.md";

test("paths of the example that README and docs name are there", () => {
  const own = new Map([...pages].filter(([page]) => page !== others));
  expect(missingPaths(own, exampleFolders, elsewhere)).toEqual([]);
});

test("the models that README begins with are whole, and its review shows their files", async () => {
  const [, text = ""] = /```json\n(\{\n {2}"\$schema"[^`]+)```/.exec(readme) ?? [];
  const [, report = ""] = /```\n(WIDER ACCESS\n[^`]+)```/.exec(readme) ?? [];
  const models = JSON.parse(text);
  const { write, generate, read } = project(models, { name: "helpdesk" });
  expect(await generate()).toMatchObject({ exitCode: 0, diagnostics: [], problems: [] });
  const [, reason = ""] = /\(acknowledged: (.*)\)/.exec(report) ?? [];
  const acknowledged = { "tickets.fetch to staff: all rows": reason };
  write("models/access-acknowledged.json", JSON.stringify({ acknowledged }));
  models.tickets.access.fetch.unshift({ role: "staff" });
  write("models/models.json", JSON.stringify(models));
  const made = await generate();
  expect(made.report === null ? "" : printReport(made.report, "wrote")).toContain(report);
  const generated = read("generated/models/tickets/policy.ts") + read("generated/access-matrix.txt");
  const diffs = [...readme.matchAll(/```diff\n([^`]+)```/g)].map(([, diff = ""]) =>
    diff.replace(/^[+ ]/gm, ""),
  );
  expect(diffs.map((diff) => generated.includes(diff))).toEqual([true, true]);
});

test("README shows what a change of the model prints", { timeout: 60_000 }, async () => {
  const blocks = readme.matchAll(/^```\w*\n([^`]+)^```$/gm);
  const shown = [...blocks].map(([, text = ""]) => text);
  const typo = shown.find((text) => text.includes("requird") && text.includes("default")) ?? "";
  const { write, generate } = project();
  for (const folder of ["models", "generated"])
    for (const [path, text] of Object.entries(filesBelow(join(repository, folder))))
      write(`${folder}/${path}`, text);
  const models = readFileSync(join(repository, "models/models.json"), "utf8");
  const changed = models.replace(/(\n *"featured": .*\n)/, `$1${typo}`);
  write("models/models.json", changed);
  const refused = await generate();
  expect(shown).toContain(renderDiagnostics(refused.diagnostics, refused.sources));
  write("models/models.json", changed.replace("requird", "required"));
  const { report } = await generate();
  expect(report === null ? "" : printReport(report, "wrote")).toBe(
    shown.find((text) => text.startsWith("fields added")),
  );
});
