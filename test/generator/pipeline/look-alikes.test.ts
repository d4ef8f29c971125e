import { expect, test } from "vitest";
import { type Project, project } from "../support/project.ts";

/** A models file as a person writes it: short fields on one line. */
const models = (...fields: readonly string[]) => `{
  "books": {
    "fields": {
      "title": { "type": "string" },
      ${fields.join(",\n      ")}
    }
  }
}
`;

/** A project that has generated some models, and then has others. */
async function changed(before: string, after: string): Promise<Project> {
  const it = project();
  it.write("models/models.json", before);
  expect(await it.generate()).toMatchObject({ exitCode: 0 });
  it.write("models/models.json", after);
  return it;
}

async function problemOf({ generate }: Project): Promise<string> {
  const { exitCode, problems } = await generate();
  expect([exitCode, problems.map(({ kind }) => kind)]).toEqual([1, ["rename"]]);
  return problems.map(({ details }) => details).join("");
}

const summary = models('"summary": { "type": "text" }', '"pages": { "type": "integer" }');

test("a field that goes and one of its type that comes: the run prints the line to write", async () => {
  const it = await changed(
    summary,
    models('"blurb": { "type": "text", "searchable": true }', '"pages": { "type": "integer" }'),
  );
  expect(await problemOf(it)).toBe(
    [
      "books.summary is removed and books.blurb added: a rename?",
      "  to keep the values, write in models/models.json:5",
      '      "blurb": { "type": "text", "searchable": true, "renamed_from": "summary" },',
      "  to drop them, npm run generate -- --accept-destructive drop_column:books.summary",
      "",
    ].join("\n"),
  );
  expect(Object.keys(it.files("generated/migrations"))).toEqual(["0001_initial.ts", "schema.json"]);
});

test("with the line the values are kept, and the line may stay or go afterwards", async () => {
  const renamed = [
    '"blurb": { "type": "text", "renamed_from": "summary" }',
    '"pages": { "type": "integer" }',
  ];
  const { generate, read, write } = await changed(summary, models(...renamed));
  expect(await generate()).toMatchObject({ exitCode: 0, report: { migrations: [{ steps: [{}] }] } });
  expect(read("generated/migrations/0002_rename_books_summary_to_blurb.ts")).toContain("rename_column");
  expect(await generate()).toMatchObject({ exitCode: 0, report: { migrations: [] } });
  write("models/models.json", models('"blurb": { "type": "text" }', '"pages": { "type": "integer" }'));
  expect(await generate()).toMatchObject({ exitCode: 0, report: { migrations: [] } });
});

test("the run goes on once the drop is accepted", async () => {
  const { generate } = await changed(
    summary,
    models('"blurb": { "type": "text" }', '"pages": { "type": "integer" }'),
  );
  expect(await generate({ accepted: ["drop_column:books.summary"] })).toMatchObject({
    exitCode: 0,
    report: { fields: { added: ["books.blurb"], removed: ["books.summary"] } },
  });
});

test("a field over several lines gets a line of its own, and a former name that is wrong is put right", async () => {
  const several = await changed(summary, models('"blurb": {\n        "type": "text"\n      }'));
  expect(await problemOf(several)).toContain(
    'write after models/models.json:5\n      "renamed_from": "summary",\n',
  );
  const wrong = await changed(summary, models('"blurb": { "type": "text", "renamed_from": "sumary" }'));
  expect(await problemOf(wrong)).toContain(
    'write in models/models.json:5\n      "blurb": { "type": "text", "renamed_from": "summary" }\n',
  );
});

test("of several fields that come, those with a like name are named first", async () => {
  const it = await changed(summary, models('"a": { "type": "text" }', '"book_summary": { "type": "text" }'));
  const details = await problemOf(it);
  expect(details).toContain("books.summary is removed and books.book_summary or books.a added: a rename?");
  expect(details).toContain(
    'keep the values in book_summary, write in models/models.json:6\n      "book_summary"',
  );
});

const model = (key: string, ...fields: readonly string[]) =>
  `{\n  "${key}": {\n    "fields": { ${fields.map((name) => `"${name}": { "type": "string" }`).join(", ")} }\n  }\n}\n`;

test("a model that goes and one with most of its fields that comes", async () => {
  const it = await changed(
    model("books", "title", "isbn", "shelf"),
    model("novels", "title", "isbn", "price"),
  );
  expect(await problemOf(it)).toBe(
    [
      "books is removed and novels added: a rename?",
      "  to keep the rows, write after models/models.json:2",
      '      "renamed_from": "books",',
      "  to drop them, npm run generate -- --accept-destructive drop_table:books",
      "",
    ].join("\n"),
  );
  expect(await it.generate({ accepted: ["drop_table:books"] })).toMatchObject({ exitCode: 0 });
});

const others: readonly [string, string, string][] = [
  ["another type", summary, models('"pages": { "type": "integer" }', '"day": { "type": "date" }')],
  ["a type that could be cast, but an unlike name", summary, models('"weight": { "type": "float" }')],
  ["a model with other fields", model("books", "title", "isbn"), model("shops", "title", "street", "town")],
];

test.each(others)("no rename: %s", async (_, before, after) => {
  const { generate } = await changed(before, after);
  expect(await generate()).toMatchObject({ exitCode: 1, problems: [{ kind: "destructive" }] });
});

test("a type that could be cast under a like name is asked about", async () => {
  const it = await changed(
    summary,
    models('"pages_text": { "type": "text" }', '"summary": { "type": "text" }'),
  );
  expect(await problemOf(it)).toContain("books.pages is removed and books.pages_text added: a rename?");
});

test("a reference to another model is another field", async () => {
  const two = (...fields: string[]) =>
    `{ "a": { "fields": {} }, "b": { "fields": {} }, "books": { "fields": { ${fields.join()} } } }`;
  const to = (name: string, target: string) =>
    `"${name}": { "type": "belongs_to", "relationship": { "model": "${target}" } }`;
  const other = await changed(two(to("a_id", "a")), two(to("b_id", "b")));
  expect(await other.generate()).toMatchObject({ problems: [{ kind: "destructive" }] });
  const same = await changed(two(to("a_id", "a")), two(to("owner_id", "a")));
  expect(await problemOf(same)).toContain("books.a_id is removed and books.owner_id added: a rename?");
});
