import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { generatedFormat } from "#generator/format/format";
import { project, repository } from "../support/project.ts";

const string = { type: "string" };
const everyone = [{ role: "*" }];
const books = (fields: object, access: object = { fetch: everyone }) => ({ books: { fields, access } });

test("generating into an empty folder gives the same files again, with one migration", async () => {
  const { generate, files, remove, write } = project(books({ title: string }));
  await generate();
  write("models/models.json", books({ title: string, isbn: string }));
  await generate();
  const { "manifest.lock.json": _, ...tree } = files("generated");
  expect(Object.keys(tree)).toContain("migrations/0002_add_isbn_to_books.ts");
  remove("generated");
  await generate();
  const again = files("generated");
  expect(Object.keys(again).filter((path) => /migrations\/\d/.test(path))).toEqual([
    "migrations/0001_initial.ts",
  ]);
  for (const [path, text] of Object.entries(tree))
    if (path.startsWith("models/")) expect(again[path]).toBe(text);
});

test("one changed model changes only its folder and the shared lists", async () => {
  const pens = { fields: { name: string }, access: { fetch: everyone } };
  const { generate, write } = project({ ...books({ title: string }), pens });
  await generate();
  write("models/models.json", { ...books({ title: string, isbn: string }), pens });
  const { report } = await generate();
  // biome-ignore format: one case a line
  expect(report?.files.written).toEqual([
    "graphql/schema.graphql", "manifest.lock.json", "migrations/0002_add_isbn_to_books.ts", "migrations/schema.json",
    "models/books/model.ts", "models/books/validators.ts", "openapi.json",
  ]);
  expect(report?.fields.added).toEqual(["books.isbn"]);
});

test("models are in declared order", async () => {
  const { generate, read } = project({ b: { fields: { x: string } }, a: { fields: { x: string } } });
  await generate();
  expect(read("generated/index.ts")).toContain("models: [b, a],");
});

test("check reports drift with a diff and the fix, and writes nothing", async () => {
  const { generate, write, files } = project(books({ title: string }));
  await generate();
  const tree = files("generated");
  expect((await generate({ mode: "check" })).exitCode).toBe(0);
  write("models/models.json", books({ title: string, isbn: string }));
  const { exitCode, problems } = await generate({ mode: "check" });
  expect(exitCode).toBe(1);
  expect(problems).toMatchObject([{ kind: "drift", fix: "npm run generate" }]);
  expect(problems[0]?.details).toContain(
    "--- /dev/null\n+++ b/generated/migrations/0002_add_isbn_to_books.ts",
  );
  expect(problems[0]?.details).toContain("+  isbn: string | null;");
  expect(files("generated")).toEqual(tree);
});

test("a preview reports the changes of a run, with the diff, and writes nothing", async () => {
  const { generate, write, files } = project(books({ title: string }));
  const { exitCode, report, diff } = await generate({ mode: "preview" });
  expect(exitCode).toBe(0);
  expect(report?.models.added).toEqual(["books"]);
  expect(diff).toContain("--- /dev/null\n+++ b/generated/models/books/model.ts\n");
  expect(files("generated")).toEqual({});
  await generate();
  expect((await generate({ mode: "preview" })).diff).toBe("");
  write("models/models.json", { pens: books({ title: string }).books });
  const renamed = await generate({ mode: "preview", accepted: ["drop_table:books"] });
  expect(renamed.diff).toContain("--- a/generated/models/books/model.ts\n+++ /dev/null\n");
});

test("an unrelated file at the path of an output is not overwritten", async () => {
  const { generate, write, read } = project(books({ title: string }));
  write("generated/index.ts", "export {};\n");
  expect((await generate()).problems).toMatchObject([{ kind: "edited" }]);
  expect(read("generated/index.ts")).toBe("export {};\n");
});

test("a migration that was edited by hand is noticed, and kept with --force", async () => {
  const { generate, write, read } = project(books({ title: string }));
  await generate();
  const migration = "generated/migrations/0001_initial.ts";
  const edited = read(migration).replace("varchar(255)", "varchar(100)");
  write(migration, edited);
  const { exitCode, problems } = await generate();
  expect(exitCode).toBe(1);
  expect(problems[0]?.fix).toMatch(
    `restore ${migration} from version control; or, if no database has applied it, `,
  );
  expect((await generate({ force: true })).exitCode).toBe(0);
  expect((await generate()).exitCode).toBe(0);
  expect(read(migration)).toBe(edited);
});

test("migrations that do not hold together stop the run", async () => {
  const { generate, write, remove } = project(books({ title: string }));
  await generate();
  write("models/models.json", books({ title: string, isbn: string }));
  await generate();
  remove("generated/migrations/0001_initial.ts");
  expect((await generate()).problems).toMatchObject([{ kind: "history" }]);
  write("generated/migrations/0001_initial.ts", "");
  remove("generated/migrations/schema.json");
  expect((await generate()).problems).toMatchObject([{ kind: "history" }]);
});

test("files of a model that is gone are removed, and nothing else", async () => {
  const pens = { fields: { name: string }, access: { fetch: everyone } };
  const { generate, write, files } = project({ ...books({ title: string }), pens });
  await generate();
  write("generated/README.md", "mine\n");
  write("models/models.json", books({ title: string }));
  const { report } = await generate({ accepted: ["drop_table:pens"] });
  expect(report?.files.removed).toHaveLength(4);
  const paths = Object.keys(files("generated"));
  expect(paths.filter((path) => path.startsWith("models/pens"))).toEqual([]);
  expect(paths).toContain("README.md");
});

test("a destructive step stops the run and prints the command that accepts it", async () => {
  const { generate, write, read } = project(books({ title: string, isbn: string }));
  await generate();
  write("models/models.json", books({ title: string }));
  const { exitCode, problems } = await generate();
  expect(exitCode).toBe(1);
  expect(problems).toMatchObject([
    { kind: "destructive", fix: "npm run generate -- --accept-destructive drop_column:books.isbn" },
  ]);
  expect((await generate({ accepted: ["drop_column:books.isbn"] })).exitCode).toBe(0);
  const migration = read("generated/migrations/0002_drop_isbn_from_books.ts");
  expect(migration).toContain("// Destructive: drop_column:books.isbn, accepted with --accept-destructive");
});

test("an accepted id that no step has is an error, and names those that there are", async () => {
  const { generate, write, files } = project(books({ title: string, isbn: string }));
  expect(await generate({ accepted: ["drop_column:books.isbn"] })).toMatchObject({
    exitCode: 2,
    problems: [{ kind: "unknown-step", fix: "remove --accept-destructive: this run loses no data" }],
  });
  await generate();
  write("models/models.json", books({ title: string }));
  const before = files("generated");
  const { exitCode, problems } = await generate({
    accepted: ["drop_colunm:books.isbn", "x", "drop_column:books.isbn"],
  });
  expect(exitCode).toBe(2);
  expect(problems[0]?.message).toBe(
    'this run has no step drop_colunm:books.isbn; did you mean "drop_column:books.isbn"?\nthis run has no step x',
  );
  expect(problems[0]?.details).toMatch(/^ {2}drop_column:books\.isbn: drops the column/);
  expect(files("generated")).toEqual(before);
});

test("operations that more roles reach are reported, those of new models are not", async () => {
  const { generate, write } = project(
    books({ title: string }, { fetch: [{ role: "admin" }], search: everyone }),
  );
  await generate();
  const pens = { fields: { name: string }, access: { fetch: everyone } };
  const access = {
    fetch: [{ role: "admin" }, { role: "a b" }],
    search: [{ role: "user" }],
    delete: everyone,
  };
  write("models/models.json", { ...books({ title: string }, access), pens });
  const { report } = await generate();
  expect(report?.widenedAccess.map(({ id }) => id)).toEqual([
    'books.fetch to "a b": all rows',
    "books.delete to *: all rows",
  ]);
});

test("generated files have Kirak's format, not that of the app; a lock of another format formats all again", async () => {
  const { root, generate, write, read, files } = project(books({ title: string }));
  await generate();
  const first = files("generated");
  const format = /"format": "\w+"/;
  write("biome.json", { formatter: { indentWidth: 4 }, javascript: { formatter: { quoteStyle: "single" } } });
  write("generated/manifest.lock.json", read("generated/manifest.lock.json").replace(format, '"format": ""'));
  vi.stubEnv("BIOME_CONFIG_PATH", root);
  onTestFinished(() => void vi.unstubAllEnvs());
  await generate();
  expect(files("generated")).toEqual(first);
});

test("this repository formats generated files as Kirak does", () => {
  const { formatter, javascript, overrides } = JSON.parse(
    readFileSync(join(repository, "biome.json"), "utf8"),
  );
  const json = overrides.filter(({ json }: { json?: object }) => json !== undefined);
  expect({ formatter, javascript, overrides: json }).toEqual(generatedFormat);
});

test("a lock that knows each file, but not what it was formatted from, is as good as the generator's own", async () => {
  const { generate, write, read } = project(books({ title: string }));
  await generate();
  const lock = read("generated/manifest.lock.json");
  const other = lock.replace(/"index.ts": "\w+ /, '"index.ts": "0000000000000000 ');
  expect(other).not.toBe(lock);
  write("generated/manifest.lock.json", other);
  expect(await generate({ mode: "check" })).toMatchObject({ exitCode: 0, problems: [] });
  expect((await generate()).report?.files.written).toEqual([]);
  write("models/models.json", books({ title: string, pages: { type: "integer" } }));
  await generate();
  expect(read("generated/manifest.lock.json")).toContain(/"index.ts": "\w+ /.exec(lock)?.[0]);
});

test("invalid models give diagnostics and no output", async () => {
  const { generate, files } = project(books({ title: { type: "strnig" } }));
  const { exitCode, diagnostics, report } = await generate();
  expect({ exitCode, report, codes: diagnostics.map(({ code }) => code) }).toEqual({
    exitCode: 2,
    report: null,
    codes: ["unknown-field-type"],
  });
  expect(files("generated")).toEqual({});
});

test("descriptions that look like orders to the compiler or the linter are text", async () => {
  // biome-ignore format: one case a line
  const texts = [
    "@ts-ignore", "@ts-expect-error", "@ts-nocheck", "biome-ignore lint: no", "biome-ignore-all lint: no",
  ];
  const fields = Object.fromEntries(
    texts.map((description, index) => [`field${index}`, { ...string, description }]),
  );
  const { generate, read } = project(books(fields));
  expect((await generate({ compile: true })).exitCode).toBe(0);
  const text = read("generated/models/books/model.ts");
  expect(text).toContain("\\@ts-ignore");
  expect(text).not.toMatch(/[^\\]@ts-|biome-ignore/);
});
