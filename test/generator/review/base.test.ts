import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBase } from "#generator/review/git-base";
import { printMarkdown } from "#generator/review/markdown";
import { printReport } from "#generator/review/print-report";
import { inGit, project } from "../support/project.ts";

const fields = { title: { type: "string" }, isbn: { type: "string" } };
const books = (access: object, parts: object = {}) => ({
  books: { fields, access: { create: [{ role: "admin" }], ...access }, ...parts },
});
const closed = books({});
const open = books({ fetch: [{ role: "*" }] });
const acknowledged = { acknowledged: { "books.fetch to *: all rows": "the catalogue is public" } };

type Repository = Awaited<ReturnType<typeof repository>>;

/** A repository whose branch `main` holds some models and what was generated of them. */
async function repository(models: object) {
  const folder = project(models);
  const made = { ...folder, ...inGit(folder) };
  await made.generate();
  made.commit();
  made.git("checkout", "--quiet", "-b", "work");
  return made;
}

test("a check fails on wider access of a pull request although its generated files are committed", async () => {
  const made = await repository(closed);
  made.write("models/models.json", open);
  // By hand, or by a run without earlier output.
  made.remove("generated");
  await made.generate();
  made.commit("second");
  expect((await made.generate({ mode: "check" })).problems).toEqual([]);
  const checked = await made.generate({ mode: "check", base: "main" });
  expect(checked).toMatchObject({ exitCode: 1, problems: [{ kind: "access" }] });
  expect(checked.problems[0]?.details).toContain('"books.fetch to *: all rows": "<why>"');
  expect(checked.problems[0]?.fix).toMatch(/then run npm run generate -- --base main$/);
  made.write("models/access-acknowledged.json", acknowledged);
  const { exitCode, report } = await made.generate({ mode: "check", base: "main" });
  expect(exitCode).toBe(0);
  expect(report).toMatchObject({ base: "main", widenedAccess: [{ reason: "the catalogue is public" }] });
});

test("all that happened since the base is in the report, over several runs", async () => {
  const made = await repository(closed);
  const { isbn: _, ...rest } = fields;
  const later = { ...rest, pages: { type: "text" } };
  made.write("models/models.json", books({}, { fields: { ...fields, pages: { type: "integer" } } }));
  await made.generate();
  made.write("models/models.json", books({}, { fields: later }));
  await made.generate({ accepted: ["drop_column:books.isbn", "set_type:books.pages"] });
  made.commit("second");
  expect((await made.generate()).report).toMatchObject({
    migrations: [],
    fields: { added: [], removed: [] },
  });
  const { exitCode, report } = await made.generate({ mode: "check", base: "main" });
  expect(exitCode).toBe(0);
  // biome-ignore format: one case a line
  expect(report).toMatchObject({ fields: { added: ["books.pages"], removed: ["books.isbn"] },
    breaking: [{ change: "books.isbn is gone" }],
    migrations: [
      { name: "0002_add_pages_to_books", steps: [{ id: "add_column:books.pages", class: "additive", why: null, breaksOlder: false }] },
      { name: expect.stringMatching(/^0003_/),
        steps: [
          { id: "drop_column:books.isbn", class: "destructive", why: expect.stringContaining("drops the column with all of its values"),
            breaksOlder: true },
          { id: "set_type:books.pages", class: "destructive", breaksOlder: true },
        ],
      },
    ],
  });
});

test("a new name is followed although the models no longer say that it is one", async () => {
  const made = await repository(books({ fields: { isbn: { read: ["admin"] } } }));
  const { isbn: _, ...rest } = fields;
  const renamed = { ...rest, code: { type: "string", renamed_from: "isbn" } };
  const titles = (parts: object, access: object) => ({
    titles: { fields: renamed, access: { create: [{ role: "admin" }], ...access }, ...parts },
  });
  const gate = { fields: { code: { read: ["admin"] } } };
  made.write("models/models.json", titles({ renamed_from: "books" }, gate));
  await made.generate();
  const named = { ...rest, code: { type: "string" } };
  made.write("models/models.json", titles({ fields: named }, gate));
  await made.generate();
  made.commit("second");
  expect((await made.generate({ base: "main" })).report).toMatchObject({
    models: { added: [], removed: [], renamed: ["books → titles"] },
    fields: { added: [], removed: [], renamed: ["titles.isbn → code"] },
    widenedAccess: [],
    widenedFields: [],
  });
  made.write("models/models.json", titles({ fields: named }, { fetch: [{ role: "*" }] }));
  const { report } = await made.generate({ base: "main" });
  expect(report?.widenedAccess.map(({ id }) => id)).toEqual(["titles.fetch to *: all rows"]);
});

const priced = (columns: object, readers: object = {}) => {
  const access = { fetch: [{ role: "user" }], create: [{ role: "admin" }], fields: readers };
  return { books: { fields: { title: { type: "string" }, ...columns }, access } };
};
const text = { type: "string" };
const onlyAdmins = { read: ["admin"] };

/** Generates some models and commits them. */
async function step(made: Repository, models: object): Promise<void> {
  made.write("models/models.json", models);
  expect((await made.generate()).problems).toEqual([]);
  made.commit("step");
}

/** A branch `work` that lags behind `main` by a migration. `a` was called `b` before there was a new `a`. */
async function lagging(later: object): Promise<Repository> {
  const made = await repository(priced({ a: text }, { a: onlyAdmins }));
  made.git("checkout", "--quiet", "main");
  await step(made, priced({ b: { ...text, renamed_from: "a" } }, { b: onlyAdmins }));
  await step(made, priced({ b: text, a: text }, { a: onlyAdmins, b: onlyAdmins }));
  made.git("branch", "--force", "work", "main");
  await step(made, later);
  made.git("checkout", "--quiet", "work");
  return made;
}

test("names are followed from the last migration that the base has as well", async () => {
  const both = { a: onlyAdmins, b: onlyAdmins };
  const made = await lagging(priced({ b: text, a: text, pages: { type: "integer" } }, both));
  made.write("models/models.json", priced({ b: text, a: text }, { b: onlyAdmins }));
  const { report } = await made.generate({ mode: "check", base: "main" });
  expect(report).toMatchObject({
    widenedFields: [{ id: "books.a read by *" }],
    fields: { added: [], removed: ["books.pages"], renamed: [] },
    migrations: [],
  });
});

test("a name that only the base gave is taken back, and what the branch named is followed", async () => {
  const both = { a: onlyAdmins, c: onlyAdmins };
  const made = await lagging(priced({ c: { ...text, renamed_from: "b" }, a: text }, both));
  await step(made, priced({ b: text, d: { ...text, renamed_from: "a" } }, { b: onlyAdmins, d: onlyAdmins }));
  made.write("models/models.json", priced({ b: text, d: text }, { d: onlyAdmins }));
  expect((await made.generate({ mode: "check", base: "main" })).report).toMatchObject({
    widenedFields: [{ id: "books.b read by *" }],
    fields: { added: [], removed: [], renamed: ["books.c → b", "books.a → d"] },
    migrations: [{ name: "0004_rename_books_a_to_d" }],
  });
});

test("migrations of one name that do different things are different ones", async () => {
  const made = await repository(priced({ a: text, n: text }, { a: onlyAdmins }));
  const two = (name: string) => ({
    [name]: { ...text, renamed_from: "a" },
    m: { ...text, renamed_from: "n" },
  });
  await step(made, priced(two("c"), { c: onlyAdmins }));
  made.git("checkout", "--quiet", "main");
  await step(made, priced(two("b"), { b: onlyAdmins }));
  made.git("checkout", "--quiet", "work");
  expect(Object.keys(made.files("generated/migrations"))).toContain("0002_change_books.ts");
  made.write("models/models.json", priced(two("c")));
  expect((await made.generate({ base: "main" })).report).toMatchObject({
    widenedFields: [{ id: "books.c read by *" }],
    fields: { added: [], removed: [], renamed: ["books.b → c"] },
    migrations: [{ name: "0002_change_books" }],
  });
});

test("no rename is reported of a field that has its name again, or that the base did not have", async () => {
  const made = await repository(priced({ a: text }));
  await step(made, priced({ b: { ...text, renamed_from: "a" } }));
  await step(made, priced({ a: { ...text, renamed_from: "b" }, code: text }));
  await step(made, priced({ a: text, isbn: { ...text, renamed_from: "code" } }));
  expect((await made.generate({ base: "main" })).report?.fields).toEqual({
    added: ["books.isbn"],
    removed: [],
    renamed: [],
  });
});

test("a base whose migrations do not hold together ends the run", async () => {
  const made = await repository(closed);
  made.git("checkout", "--quiet", "main");
  await step(made, books({}, { fields: { ...fields, pages: { type: "integer" } } }));
  const path = "generated/migrations/0002_add_pages_to_books.ts";
  made.write(path, made.read(path).replace('"pages"', "pages()"));
  made.commit("edited");
  const problemOf = async () => (await made.generate({ base: "main" })).problems[0];
  made.git("checkout", "--quiet", "work");
  expect((await problemOf())?.message).toMatch(
    /^generated\/ is inconsistent at main: migrations\/0002_add_pages_to_books.ts:\d+:\d+ is not data/,
  );
  made.git("checkout", "--quiet", "main");
  made.git("rm", "--quiet", path);
  made.commit("removed");
  made.git("checkout", "--quiet", "work");
  expect(await problemOf()).toMatchObject({
    kind: "base",
    message: "generated/ is inconsistent at main: migrations/schema.json is not that of the last migration",
  });
});

test("access that is wider than after the last run needs an acknowledgement although the base had it", async () => {
  const made = await repository(open);
  await step(made, closed);
  made.write("models/models.json", open);
  for (const mode of ["write", "check", "preview"] as const) {
    const { exitCode, problems, report } = await made.generate({ mode, base: "main" });
    expect({ exitCode, widened: report?.widenedAccess }).toEqual({ exitCode: 1, widened: [] });
    expect(problems[0]).toMatchObject({ kind: "access" });
    expect(problems[0]?.details).toContain('"books.fetch to *: all rows": "<why>"');
  }
  made.write("models/access-acknowledged.json", acknowledged);
  expect((await made.generate({ base: "main" })).exitCode).toBe(0);
});

test("access that is wider than in both is asked for once", async () => {
  const made = await repository(closed);
  made.write("models/models.json", open);
  const { problems } = await made.generate({ base: "main" });
  expect(problems[0]?.details.match(/"<why>"/g)).toHaveLength(1);
});

test("a base provides the former access if the matrix is gone", async () => {
  const made = await repository(closed);
  made.write("models/models.json", open);
  made.remove("generated/access-matrix.txt");
  expect((await made.generate({ base: "HEAD" })).problems[0]?.message).toMatch(/^WIDER ACCESS/);
  made.write("models/access-acknowledged.json", acknowledged);
  expect((await made.generate({ base: "HEAD" })).exitCode).toBe(0);
});

test("a project may be a folder of its repository", async () => {
  const made = project({});
  const options = { models: "app/models.json", out: "app/generated" };
  made.write("app/models.json", closed);
  await made.generate(options);
  const { git } = inGit(made);
  git("add", "app");
  git("commit", "--quiet", "--message", "first");
  expect(await readBase(join(made.root, "app"), "generated", "HEAD")).toEqual({
    commit: git("rev-parse", "HEAD").trim(),
    migrations: ["0001_initial.ts", "schema.json"],
    changed: [],
    accountDeletion: null,
    schema: made.read("app/generated/migrations/schema.json"),
    matrix: made.read("app/generated/access-matrix.txt"),
    document: made.read("app/generated/openapi.json"),
    graphql: made.read("app/generated/graphql/schema.graphql"),
  });
});

test("a base that there is not ends the run with 2, words and a way out", async () => {
  const made = await repository(closed);
  const problemOf = async (base: string) => (await made.generate({ base })).problems[0]?.message;
  // biome-ignore format: one case a line
  expect(await made.generate({ base: "nowhere" })).toMatchObject({ exitCode: 2,
    problems: [{ kind: "base", message: "there is no commit nowhere here; if this is a shallow clone, run git fetch",
      fix: "name a commit with --base whose output folder is committed, such as origin/main" }],
  });
  made.git("checkout", "--quiet", "--orphan", "empty");
  made.git("rm", "--quiet", "-r", "--cached", "generated");
  made.git("commit", "--quiet", "--allow-empty", "--message", "empty");
  expect(await problemOf("HEAD")).toBe(
    "HEAD has no generated/migrations/schema.json: the output folder is not committed there",
  );
  made.remove(".git");
  expect(await problemOf("HEAD")).toBe("this is not a git repository");
});

test("a base that cannot be read ends the run too", async () => {
  const made = await repository(closed);
  made.write("generated/migrations/schema.json", "{");
  made.commit("broken");
  made.git("checkout", "--quiet", "main", "--", "generated");
  expect((await made.generate({ base: "work" })).problems).toMatchObject([
    { kind: "base", message: "generated/migrations/schema.json cannot be read at work" },
  ]);
});

test.each(["", "--output=x", "-p", "a b", "HEAD:models", "a\nb", "main..work"])(
  "%j is no commit, and no option of git",
  async (base) => {
    const made = await repository(closed);
    const { exitCode, problems } = await made.generate({ base });
    expect({ exitCode, kind: problems[0]?.kind }).toEqual({ exitCode: 2, kind: "base" });
    expect(Object.keys(made.files("."))).not.toContain("x");
  },
);

test("without git the run prints a note", async () => {
  const made = await repository(closed);
  const path = process.env["PATH"];
  mkdirSync(join(made.root, "no-programs"));
  writeFileSync(join(made.root, "no-programs/readme"), "");
  try {
    process.env["PATH"] = join(made.root, "no-programs");
    expect(await readBase(made.root, "generated", "main")).toEqual({ problem: "git is not installed here" });
  } finally {
    process.env["PATH"] = path;
  }
});

test("custom SQL that was edited since the base is in the report, though its link is the same; an equal checksum is not an edit", async () => {
  const made = await repository(closed);
  const file = (name: string) => `models/migrations/${name}.ts`;
  const sql = (up: string, more = "") =>
    `export default defineSqlMigration({ class: "additive", up: ${JSON.stringify(up)}${more} });\n`;
  const names = ["0002_view", "0003_trigger", "0004_index"];
  for (const name of names) made.write(file(name), sql("SELECT 1"));
  await made.generate();
  made.commit("second");
  made.git("branch", "--force", "main");
  made.write(file("0002_view"), sql("SELECT 2"));
  made.write(file("0003_trigger"), `// A word.\n${sql("SELECT 1\r\n")}`);
  made.write(file("0004_index"), sql("SELECT 1", ', down: "SELECT 1"'));
  made.write(file("0005_new"), sql("SELECT 1"));
  expect((await made.generate()).report?.editedMigrations).toEqual([]);
  made.commit("third");
  const { exitCode, report, ...outcome } = await made.generate({ mode: "check", base: "main" });
  expect([exitCode, report?.editedMigrations]).toEqual([0, [file("0002_view"), file("0004_index")]]);
  if (report === null) throw new Error("there is no report");
  expect(printReport(report, "wrote")).toMatch(
    /^EDITED MIGRATIONS\n {2}models\/migrations\/0002_view\.ts differs from the file at main\n.*\n {2}a database that ran it rejects/,
  );
  expect(printMarkdown({ ...outcome, report })).toMatch(
    /### ⚠️ Edited migrations\n\n- `models\/migrations\/0002_view\.ts`: a database/,
  );
});

test("own SQL that came since the base is in the report with its class", async () => {
  const made = await repository(closed);
  const sql = (kind: string) => `export default defineSqlMigration({ class: "${kind}", up: "SELECT 1" });\n`;
  made.write("models/migrations/0002_view.ts", sql("destructive"));
  made.write("models/migrations/0003_trigger.ts", sql("breaks-older-code"));
  await made.generate({ accepted: ["sql:0002_view"] });
  made.commit("second");
  const { exitCode, report } = await made.generate({ mode: "check", base: "main" });
  expect(exitCode).toBe(0);
  // biome-ignore format: one case a line
  expect(report?.migrations).toEqual([
    { name: "0002_view", steps: [{ id: "sql:0002_view", class: "destructive", why: null, breaksOlder: false }] },
    { name: "0003_trigger", steps: [{ id: "sql:0003_trigger", class: "additive", why: null, breaksOlder: true }] },
  ]);
});
