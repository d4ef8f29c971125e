import { expect, test } from "vitest";
import { apiChanges, noApi } from "#generator/review/api/breaking-changes";
import { printMarkdown } from "#generator/review/markdown";
import { printReport } from "#generator/review/print-report";
import { project } from "../support/project.ts";

const tables = { before: [], after: [], renames: [] };
const get = (parts: object = {}) => ({ operationId: "look", tags: ["routes"], security: [{}], ...parts });
const textOf = (parts: object) => JSON.stringify({ paths: { "/slots": { get: get(parts) } } });
const rows = (...access: object[]) => ({ "x-kirak-access": access });

function changes(before: object, after: object, closed: [] | null = null) {
  const texts = (parts: object) => ({ document: textOf(parts), graphql: "" });
  const found = apiChanges(texts(before), texts(after), tables, closed);
  return found?.breaking.map(({ change, notices }) => `${change} (${notices})`);
}

const mine = { role: "user", rows: "owner = {user_id}" };
const others =
  "GET /slots opens other rows to user; before: owner = {user_id} (rows can be missing or refused)";
const body = (...types: readonly string[]) => ({
  requestBody: { content: Object.fromEntries(types.map((type) => [type, { schema: {} }])) },
});

// biome-ignore format: one case a line
test.each<[string, object, object, string[]]>([
  ["the same rows", rows(mine), rows(mine), []],
  ["other rows, which are not compared", rows(mine), rows({ role: "user", rows: "x = 1" }), [others]],
  ["all rows of a wider role", rows(mine), rows({ role: "signed_in" }), []],
  ["fewer rows", rows({ role: "user" }), rows(mine), ["GET /slots opens other rows to user; before: all rows (rows can be missing or refused)"]],
  ["a part of an upsert", rows({ ...mine, part: "insert" }, { ...mine, part: "update" }), rows({ ...mine, part: "insert" }),
    ["GET /slots:update is not open to user any more (they get 401 or 403)"]],
  ["a credential", {}, { security: [{ bearer: [] }] }, ["GET /slots needs a credential now (callers without one get 401)"]],
  ["no credential any more", { security: [{ bearer: [] }] }, {}, ["GET /slots takes no access token any more (callers who send one)"]],
  ["no API key any more", { security: [{ bearer: [] }, { apiKey: [] }] }, { security: [{ bearer: [] }] },
    ["GET /slots takes no API key any more (callers who send one)"]],
  ["a content type that goes", body("application/json", "text/csv"), body("application/json"),
    ["GET /slots body text/csv is not accepted any more (anyone who sends it)"]],
  ["a content type that comes", body("application/json"), body("application/json", "text/csv"), []],
])("%s", (_, before, after, lines) => {
  expect(changes(before, after)).toEqual(lines);
});

test("conditions that the access matrix compares are not compared again", () => {
  expect(changes(rows(mine), rows({ role: "user", rows: "x = 1" }), [])).toEqual([]);
});

const document = textOf({});

test.each<[string, { document: string; graphql: string } | null]>([
  ["a missing file", null],
  ["no JSON", { document: "<<<<<<< HEAD", graphql: "" }],
  ["another JSON", { document: "[]", graphql: "" }],
  ["a document without paths", { document: "{}", graphql: "" }],
  ["no schema", { document, graphql: "<<<<<<< HEAD" }],
])("%s is not known", (_, before) => {
  const after = { document, graphql: "type Query { a: Int }" };
  expect(apiChanges(before, after, tables, [])).toBeNull();
});

test("before the first run nothing could break", () => {
  const after = { document, graphql: "type Query { a: Int }" };
  expect(apiChanges(noApi, after, tables, [])).toEqual({ breaking: [], worthKnowing: [] });
});

const models = (access: object, values: readonly string[]) => ({
  books: { fields: { title: { type: "string", enum: values } }, access },
});
const open = { fetch: [{ role: "user" }], delete: [{ role: "user" }] };

test("the report has one list, in each of its forms, and stops nothing", async () => {
  const made = project(models(open, ["a"]));
  await made.generate();
  made.write("models/models.json", models({ fetch: open.fetch }, ["a", "b"]));
  const { report, exitCode, ...run } = await made.generate();
  expect(exitCode).toBe(0);
  expect(report).toMatchObject({
    breaking: [{ change: "books.delete is not open to anyone any more", notices: "its callers get 403" }],
    worthKnowing: [{ change: 'books.title can be "b" in responses now', notices: "anyone who reads it" }],
  });
  if (report === null) throw new Error("no report");
  expect(printReport(report, "wrote")).toContain(
    'BREAKING CHANGES\n  books.delete is not open to anyone any more (its callers get 403)\nworth knowing:\n  books.title can be "b" in responses now (anyone who reads it)\n',
  );
  expect(printMarkdown({ ...run, report })).toContain(
    '### Breaking changes\n\n- `books.delete is not open to anyone any more`: its callers get 403\n\n### Worth knowing\n\n- `books.title can be "b" in responses now`: anyone who reads it\n',
  );
});

test("an app without models has a former API", async () => {
  const route = (path: string) =>
    `import { defineRoute } from "kirak";\nexport default defineRoute({ method: "GET", path: "${path}", access: ["*"], answer: {}, handler: () => null });\n`;
  const made = project({});
  made.write("models/routes/slots.ts", route("/slots"));
  expect((await made.generate()).report?.breaking).toEqual([]);
  made.write("models/routes/slots.ts", route("/places"));
  const { report } = await made.generate();
  expect(report?.breaking).toEqual([{ change: "GET /slots is gone", notices: "its callers get 404 or 405" }]);
});

test.each(["openapi.json", "graphql/schema.graphql"])("a report without the former %s", async (file) => {
  const made = project(models(open, ["a"]));
  await made.generate();
  made.remove(`generated/${file}`);
  const { report, ...run } = await made.generate();
  if (report === null) throw new Error("no report");
  expect(report.breaking).toBeNull();
  expect(printReport(report, "wrote")).toContain("breaking changes: not known, because the former");
  expect(printMarkdown({ ...run, report })).toContain(
    "### Breaking changes\n\n- not known, because the former",
  );
});
