import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { printMarkdown } from "../../../generator/report/markdown.ts";
import { code, plain } from "../../../generator/report/markdown-text.ts";
import { printReport } from "../../../generator/report/print.ts";
import { type Project, project } from "../support/project.ts";

const fields = {
  title: { type: "string" },
  isbn: { type: "string" },
  state: { type: "string", enum: ["a", "b"] },
};
const before = {
  books: { fields, access: { fetch: [{ role: "user" }], delete: [{ role: "admin" }] } },
  pens: { fields: {}, internal: true },
};
const after = {
  books: {
    fields: {
      name: { type: "string", renamed_from: "title" },
      state: { type: "string", enum: ["a"] },
      pages: { type: "integer" },
    },
    access: {
      fetch: [{ role: "user" }, { role: "*", condition: "state = 'a'" }],
      delete: [{ role: "a `b`" }],
    },
  },
  shops: { fields: {}, access: { fetch: [{ role: "*" }], create: [{ role: "admin" }] } },
};
const acknowledged = { "books.fetch to *: state = 'a'": "guests <b>see</b> them, ask @team\nor `me`" };

/** Compares with a file beside this one; UPDATE_GOLDENS=1 writes it again. */
function expectGolden(name: string, text: string): void {
  const file = join(import.meta.dirname, name);
  if (process.env["UPDATE_GOLDENS"] === "1") writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, "utf8"));
}

async function changed(): Promise<Project> {
  const made = project(before);
  await made.generate();
  made.write("models/models.json", after);
  made.write("models/access-acknowledged.json", { acknowledged });
  return made;
}

test("the report for a pull request: wider access first, nothing empty, what is missing by name", async () => {
  const { generate } = await changed();
  const { report, problems } = await generate();
  const golden = printMarkdown(report, problems);
  expectGolden("markdown.golden.md", golden);
  const headings = [...golden.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);
  expect(headings).toEqual([
    "Generated changes",
    "Not done yet",
    "⚠️ Widened access",
    "Breaking changes",
    "Models",
    "Fields",
    "Migration",
  ]);
});

test("the report for a terminal has the same order", async () => {
  const { generate } = await changed();
  const { report } = await generate();
  if (report === null) throw new Error("no report");
  expectGolden("report.golden.txt", printReport(report, "would write"));
});

test("where nothing changed it says so, and has no headings", async () => {
  const { generate } = project(before);
  await generate();
  const { report, problems } = await generate();
  expect(printMarkdown(report, problems)).toMatch(
    /^## Generated changes\n\nNothing that callers, roles or the database notice\.\n\nFiles: \d+ up to date\.\n$/,
  );
});

test("a run without a report says what stops it", () => {
  const problem = { kind: "history", message: "two heads", details: "", fix: "" } as const;
  expect(printMarkdown(null, [problem])).toBe("## Generated changes\n\n### Not done yet\n\n- `two heads`\n");
});

test.each([
  ["plain", "`plain`"],
  ["", "(nothing)"],
  ["a `b` c", "``a `b` c``"],
  ["`", "`` ` ``"],
  ["``x", "``` ``x ```"],
  [" a ", "`  a  `"],
  ["# no\n- list", "`# no\\u000a- list`"],
  ["<script>@team #1 | x", "`<script>@team #1 | x`"],
  ["a\u202eb", "`a\\u202eb`"],
])("%j is the code span %s", (text, span) => {
  expect(code(text)).toBe(span);
});

test("our own words with names in them are no markup", () => {
  expect(plain('<img src=x> [a](b) *c* _d_ `e` | & "f"')).toBe(
    '&lt;img src=x&gt; \\[a\\](b) \\*c\\* \\_d\\_ \\`e\\` \\| &amp; "f"',
  );
});
