import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fenced, inlineCode, inMarkdown, printMarkdown } from "#generator/review/markdown";
import { printReport } from "#generator/review/print-report";
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
// biome-ignore format: one case a line
const after = { books: { fields: { name: { type: "string", renamed_from: "title" }, state: { type: "string", enum: ["a"] }, pages: { type: "integer" } },
    access: { fetch: [{ role: "user" }, { role: "*", condition: "state = 'a'" }], delete: [{ role: "a `b`" }] } },
  shops: { fields: { safe_id: { type: "belongs_to", relationship: { model: "safes" } } },
    access: { fetch: [{ role: "*" }], create: [{ role: "admin" }] } },
  safes: { fields: {}, internal: true },
};
const acknowledged = { "books.fetch to *: state = 'a'": "guests <b>see</b> them, ask @team\nor `me`" };

/** Compares with a file in this folder; UPDATE_GOLDENS=1 writes it again. */
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
  const golden = printMarkdown(await generate());
  expectGolden("markdown.golden.md", golden);
  const headings = [...golden.matchAll(/^#+ (.*)$/gm)].map(([, title]) => title);
  // biome-ignore format: one case a line
  expect(headings).toEqual([
    "Generated changes", "Not done yet", "⚠️ Widened access", "Breaking changes", "Models", "Fields", "Migration",
  ]);
});

test("the report for a terminal has the same order", async () => {
  const { generate } = await changed();
  const { report } = await generate();
  if (report === null) throw new Error("no report");
  expectGolden("report.golden.txt", printReport(report, "would write"));
});

test("without changes it has one sentence, and no headings", async () => {
  const { generate } = project(before);
  await generate();
  expect(printMarkdown(await generate())).toMatch(
    /^## Generated changes\n\nNo change for callers, roles or the database\.\n\nFiles: \d+ up to date\.\n$/,
  );
});

test("a run without a report says what stops it, and nothing calm", () => {
  const problem = { kind: "history", message: "two heads\nof it", details: "", fix: "" } as const;
  expect(printMarkdown({ report: null, problems: [problem], diagnostics: [] })).toBe(
    "## Generated changes\n\n### Not done yet\n\n- `two heads`; `of it`\n",
  );
  expect(printMarkdown({ report: null, problems: [], diagnostics: [] })).toBe("## Generated changes\n");
});

test("invalid models are errors with their places", async () => {
  const { generate } = project({ books: { fields: { title: { type: "strnig" } } } });
  const error =
    '- `models/models.json:5 unknown-field-type field "title" of model "books" has type "strnig"`';
  expect(printMarkdown(await generate())).toBe(`## Generated changes\n\n### Not done yet\n\n${error}\n`);
});

test("with errors in a hook the report does not say that all is well", async () => {
  const { generate, write } = project({ books: before.books });
  write("models/hooks/books.ts", "export default 1 + ;\n");
  const text = printMarkdown(await generate({ compile: true }));
  expect(text).toMatch(/^## Generated changes\n\n### Not done yet\n\n- `models\/hooks\/books\.ts:1 hook-/);
  expect(text).not.toContain("Nothing that");
});

test("a stop has its details and the way on, findings their places", async () => {
  const { generate, write } = project(before);
  await generate();
  write("models/models.json", {
    ...before,
    books: { ...before.books, fields: { ...fields, title: undefined, name: { type: "string" } } },
  });
  const renamed = printMarkdown(await generate());
  expect(renamed).toMatch(/\n\n {2}```\n {2}.*title[\s\S]*\n {2}```\n\n {2}To go on: `.*`\n$/);
  write("models/models.json", { ...before, books: { ...before.books, access: { create: [{ role: "*" }] } } });
  expect(printMarkdown(await generate({ mode: "check" }))).toMatch(
    /- `1 finding in the models`\n\n {2}- `models\/models\.json:\d+ public-write everyone can [^`]*`\n\n {2}To go on: `/,
  );
});

test("nothing in a block ends it, and it is cut by whole lines", () => {
  expect(fenced("a\n\n````\nb\u202e\n")).toBe("`````\na\n\n````\nb\\u202e\n`````");
  const long = fenced("x\n".repeat(100)).split("\n");
  expect(long).toHaveLength(63);
  expect(long.slice(-2)).toEqual(["… and 40 more lines", "```"]);
  expect(fenced("😀".repeat(400)).split("\n")[1]).toBe(`${"😀".repeat(300)}…`);
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
  expect(inlineCode(text)).toBe(span);
});

test("Kirak's own words with names in them are not markup", () => {
  expect(inMarkdown('<img src=x> [a](b) *c* _d_ `e` | & "f"')).toBe(
    '&lt;img src=x&gt; \\[a\\](b) \\*c\\* \\_d\\_ \\`e\\` \\| &amp; "f"',
  );
});
