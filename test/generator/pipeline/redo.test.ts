import { expect, test } from "vitest";
import { inGit, type Project, project } from "../support/project.ts";

const access = { fetch: [{ role: "admin" }] };
const text = { type: "string" };
const books = (fields: object) => ({ books: { fields, access } });

const title = { title: text };
const isbn = "0002_add_isbn_to_books";
const pages = "0003_add_pages_to_books";

/** A project with three migrations; the second adds `isbn`, the third `pages`. */
async function threeMigrations(): Promise<Project> {
  const made = project(books(title));
  await made.generate();
  made.write("models/models.json", books({ ...title, isbn: text }));
  await made.generate();
  made.write("models/models.json", books({ ...title, isbn: text, pages: text }));
  expect((await made.generate()).problems).toEqual([]);
  return made;
}

const migrationsOf = ({ files }: Project) =>
  Object.keys(files("generated/migrations")).filter((path) => path !== "schema.json");

test("the last migration is derived again from the models", async () => {
  const made = await threeMigrations();
  made.write("models/models.json", books({ ...title, isbn: text, shelf: text }));
  const { problems, report } = await made.generate({ rebase: [pages] });
  expect(problems).toEqual([]);
  const by = "0003_add_shelf_to_books";
  expect(report?.history).toEqual({
    derived: null,
    rebased: { removed: [pages], moved: [], onto: isbn, by },
  });
  expect(migrationsOf(made)).toEqual(["0001_initial.ts", `${isbn}.ts`, `${by}.ts`]);
  expect((await made.generate({ mode: "check" })).exitCode).toBe(0);
});

test("those that build on it go with it, and nothing replaces them where nothing is left to change", async () => {
  const made = await threeMigrations();
  made.write("models/models.json", books(title));
  const { problems, report } = await made.generate({ rebase: [isbn] });
  expect(problems).toEqual([]);
  expect(report?.history.rebased).toEqual({
    removed: [isbn, pages],
    moved: [],
    onto: "0001_initial",
    by: null,
  });
  expect(migrationsOf(made)).toEqual(["0001_initial.ts"]);
  expect((await made.generate({ mode: "check" })).exitCode).toBe(0);
});

test("the first one can be derived again as well", async () => {
  const made = await threeMigrations();
  const { problems, report } = await made.generate({ rebase: ["0001_initial"] });
  expect(problems).toEqual([]);
  expect(report?.history.rebased).toMatchObject({ onto: null, by: "0001_initial" });
  expect(migrationsOf(made)).toEqual(["0001_initial.ts"]);
  expect((await made.generate({ mode: "check" })).exitCode).toBe(0);
});

test("accepted steps stay accepted, and the others must be accepted", async () => {
  const unique = books({ title: { ...text, unique: true } });
  const made = project(books({ ...title, isbn: text }));
  await made.generate();
  made.write("models/models.json", books({ ...title, isbn: { ...text, unique: true } }));
  await made.generate({ accepted: ["add_index:books.books_isbn_key"] });
  const rebase = migrationsOf(made)
    .slice(1)
    .map((path) => path.replace(".ts", ""));
  expect((await made.generate({ rebase })).problems).toEqual([]);
  made.write("models/models.json", unique);
  const { problems } = await made.generate({ rebase });
  expect(problems).toMatchObject([{ kind: "destructive" }]);
  expect(problems[0]?.details).toContain("drop_column:books.isbn");
});

test("a migration whose file is gone is restored, or derived again by the command that the run names", async () => {
  const made = await threeMigrations();
  made.remove(`generated/migrations/${isbn}.ts`);
  const { exitCode, problems } = await made.generate();
  expect({ exitCode, kind: problems[0]?.kind }).toEqual({ exitCode: 1, kind: "history" });
  expect(problems[0]?.fix).toBe(
    `restore generated/migrations/${isbn}.ts from version control; or, if no database has applied it, ` +
      `npm run generate -- --rebase ${isbn} derives it again, and all later migrations`,
  );
  const { problems: none, report } = await made.generate({ rebase: [isbn] });
  expect(none).toEqual([]);
  expect(report?.history.rebased).toEqual({
    removed: [isbn, pages],
    moved: [],
    onto: "0001_initial",
    by: "0002_add_isbn_and_pages_to_books",
  });
  expect((await made.generate({ mode: "check" })).exitCode).toBe(0);
});

test("files that are gone are all named at once", async () => {
  const made = await threeMigrations();
  for (const name of [isbn, pages]) made.remove(`generated/migrations/${name}.ts`);
  const { problems } = await made.generate();
  expect(problems[0]?.message).toBe(
    `migrations/${isbn}.ts, migrations/${pages}.ts are missing, and a database may have applied them already`,
  );
  expect(problems[0]?.fix).toContain(`--rebase ${isbn} --rebase ${pages} derives them again`);
  expect((await made.generate({ rebase: [isbn, pages] })).problems).toEqual([]);
  expect((await made.generate({ mode: "check" })).exitCode).toBe(0);
});

test("a run after generated/ was deleted names the databases that it can serve", async () => {
  const made = await threeMigrations();
  made.write("generated/migrations/0001_initial.ts", "");
  expect((await made.generate()).problems[0]?.fix).toMatch(/Only if all databases are new/);
});

test("a file that git left of a run which was taken back is named as that", async () => {
  const made = project(books({ ...title, summary: text }));
  const { git, commit } = inGit(made);
  await made.generate();
  commit();
  const changed = books({ ...title, blurb: text });
  made.write("models/models.json", changed);
  const accepted = ["drop_column:books.summary"];
  expect((await made.generate({ accepted })).problems).toEqual([]);
  git("checkout", "--quiet", ".");

  const left = migrationsOf(made)[1];
  for (const mode of ["check", "write"] as const) {
    const { exitCode, problems } = await made.generate({ mode });
    expect({ exitCode, count: problems.length }).toEqual({ exitCode: 1, count: 1 });
    expect(problems[0]?.message).toBe(
      `generated/migrations/${left} is in the folder, but neither manifest.lock.json nor schema.json lists it`,
    );
    expect(problems[0]?.fix).toMatch(
      /^if no database has applied it, delete it; otherwise restore the models, and/,
    );
  }
  // Where a database has it, the models that made it take it in.
  made.write("models/models.json", changed);
  expect(await made.generate()).toMatchObject({ exitCode: 0, report: { migrations: [] } });
  expect((await made.generate({ mode: "check" })).exitCode).toBe(0);
});

test("an edited migration is the only problem, for any change that would be planned on top of it", async () => {
  const made = await threeMigrations();
  const path = `generated/migrations/${isbn}.ts`;
  made.write(path, made.read(path).replaceAll("isbn", "ean"));
  for (const mode of ["check", "write", "preview"] as const) {
    const { exitCode, problems } = await made.generate({ mode });
    expect({ exitCode, kinds: problems.map(({ kind }) => kind) }).toEqual({
      exitCode: 1,
      kinds: ["history"],
    });
  }
  made.write(path, made.read(path).replace(`0002_add_ean_to_books`, isbn));
  for (const mode of ["check", "write", "preview"] as const) {
    const { exitCode, problems } = await made.generate({ mode });
    expect({ exitCode, kinds: problems.map(({ kind }) => kind) }).toEqual({ exitCode: 1, kinds: ["edited"] });
    expect(problems[0]?.fix).toMatch(new RegExp(`^restore ${path} from version control;`));
    expect(problems[0]?.fix).not.toMatch(/--force|--accept/);
  }
});
