import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { serviceMigrations } from "#runtime/migrations/built-in/index";
import { migrate } from "#runtime/migrations/runner/index";
import { testDatabase } from "../../support/database.ts";
import { silent } from "../../support/silent-log.ts";
import { copyOf, inGit, type Project, project } from "../support/project.ts";

const text = { type: "string" };
const access = { fetch: [{ role: "admin" }] };

/** Far enough apart that git merges a new field in each. */
const shop = (authors: object, books: object) => ({
  authors: { fields: { name: text, country: text, ...authors }, access },
  books: {
    slug: "books",
    description: "Written.",
    fields: { title: text, subtitle: text, ...books },
    access,
  },
});

interface Repository extends Project, ReturnType<typeof inGit> {
  /** Makes a branch of the first commit in which the models are these. */
  branch(name: string, models: object, accepted?: readonly string[]): Promise<void>;
  /** Merges a branch and commits the result, merge markers included. Returns the paths in conflict. */
  merge(name: string, committed?: boolean): string[];
}

async function repository(models: object): Promise<Repository> {
  const made = inRepository(project(models));
  await made.generate();
  made.commit();
  return made;
}

function inRepository(made: Project): Repository {
  const { git, commit } = inGit(made);
  return {
    ...made,
    git,
    async branch(name, changed, accepted = []) {
      git("checkout", "--quiet", "-b", name, "main");
      made.write("models/models.json", changed);
      expect((await made.generate({ accepted })).problems).toEqual([]);
      commit();
    },
    commit,
    merge(name, committed = true) {
      let conflicts = "";
      try {
        git("merge", "--quiet", "--no-edit", name);
      } catch {
        conflicts = git("diff", "--name-only", "--diff-filter=U");
        if (committed) commit();
      }
      return conflicts.split("\n").filter((path) => path !== "");
    },
  };
}

const migrationsOf = ({ root }: Project) =>
  serviceMigrations(pathToFileURL(join(root, "generated/migrations/")));

const namesIn = ({ files }: Project) => Object.keys(files("generated/migrations"));

const initial = shop({}, {});
const pens = { fields: { colour: text }, access };

// The file makes the repositories that several tests begin with, and each test gets a copy.
const start = await repository(initial);
const twoFields = await branched(shop({ email: text }, {}), shop({}, { isbn: text }));
const twoModels = await branched({ ...initial, maps: pens }, { ...initial, pens });
/** Git merges `access-matrix.txt` of these, but neither the index nor the lock. */
const apartModels = await branched({ atlases: pens, ...initial }, { ...initial, pens });

/** A repository with the branches `a`, which is checked out, and `b`. */
async function branched(a: object, b: object): Promise<Repository> {
  const repo = copyOfRepository(start);
  await repo.branch("b", b);
  await repo.branch("a", a);
  return repo;
}

function copyOfRepository(of: Project): Repository {
  return inRepository(copyOf(of));
}

const email = "0002_add_email_to_authors";
const isbn = "0002_add_isbn_to_books";

test("two branches that each add a field come together, and so does a database that has one of them", async () => {
  const repo = copyOfRepository(twoFields);
  const shared = await testDatabase();
  await migrate({ url: shared.url, ...(await migrationsOf(repo)), log: silent });
  expect(repo.merge("b")).toEqual(["generated/manifest.lock.json", "generated/migrations/schema.json"]);

  await expect(migrationsOf(repo)).rejects.toThrow(`${email} and ${isbn} both build on 0001_initial`);
  const before = repo.files("generated");
  for (const mode of ["check", "preview", "write"] as const)
    expect(await repo.generate({ mode })).toMatchObject({
      exitCode: 1,
      problems: [{ kind: "heads", fix: "run the command that keeps the migration of a shared database" }],
    });
  expect(repo.files("generated")).toEqual(before);

  const { exitCode, problems, report } = await repo.generate({ rebase: [isbn] });
  expect({ exitCode, problems }).toEqual({ exitCode: 0, problems: [] });
  const by = "0003_add_isbn_to_books";
  expect(report?.history).toEqual({
    derived: null,
    rebased: { removed: [isbn], moved: [], onto: email, by },
  });
  expect(namesIn(repo)).toEqual(["0001_initial.ts", `${email}.ts`, `${by}.ts`, "schema.json"]);
  expect((await repo.generate({ mode: "check" })).exitCode).toBe(0);

  const code = await migrationsOf(repo);
  expect(await migrate({ url: shared.url, ...code, log: silent })).toEqual([by]);
  const fresh = await testDatabase();
  await migrate({ url: fresh.url, ...code, log: silent });
  const columns =
    "SELECT attrelid::regclass, attname FROM pg_attribute WHERE attname IN ('email', 'isbn') AND attrelid IN ('authors'::regclass, 'books'::regclass)";
  expect(await shared.query(columns)).toEqual([
    { attrelid: "authors", attname: "email" },
    { attrelid: "books", attname: "isbn" },
  ]);
  expect(await fresh.query(columns)).toEqual(await shared.query(columns));
});

test("the other branch can be the one that is derived again", async () => {
  const repo = copyOfRepository(twoFields);
  repo.merge("b");
  const { problems } = await repo.generate({ mode: "check" });
  expect(problems[0]?.message).toBe(
    "2 migrations are the last one, because merged branches each build on 0001_initial",
  );
  expect(problems[0]?.details).toContain(
    `  ${email}\n    to keep it and derive the rest again: npm run generate -- --rebase ${isbn}\n` +
      `  ${isbn}\n    to keep it and derive the rest again: npm run generate -- --rebase ${email}\n`,
  );
  expect(problems[0]?.details).toContain("npm run migrate -- down --to 0001_initial");
  expect((await repo.generate({ rebase: [email] })).report?.history.rebased).toEqual({
    removed: [email],
    moved: [],
    onto: isbn,
    by: "0003_add_email_to_authors",
  });
  expect((await repo.generate({ mode: "check" })).exitCode).toBe(0);
});

test("steps that the other branch has too are not done twice", async () => {
  const repo = copyOfRepository(start);
  await repo.branch("b", shop({}, { isbn: text }));
  await repo.branch("a", shop({ email: text }, { isbn: text }));
  repo.merge("b");
  const { exitCode, report } = await repo.generate({ rebase: [isbn] });
  expect(exitCode).toBe(0);
  expect(report?.history.rebased).toEqual({
    removed: [isbn],
    moved: [],
    onto: "0002_change_authors_and_books",
    by: null,
  });
  expect(namesIn(repo)).toEqual(["0001_initial.ts", "0002_change_authors_and_books.ts", "schema.json"]);
  expect((await repo.generate({ mode: "check" })).exitCode).toBe(0);
});

test("the same change on both branches is one migration", async () => {
  const repo = copyOfRepository(start);
  await repo.branch("b", shop({}, { isbn: text }));
  await repo.branch("a", shop({}, { isbn: text }));
  expect(repo.merge("b")).toEqual([]);
  expect((await repo.generate({ mode: "check" })).exitCode).toBe(0);
});

test("what was accepted stays accepted, and is in the new header", async () => {
  const repo = copyOfRepository(start);
  const dropped = structuredClone<{ books: { fields: { subtitle?: object } } }>(initial);
  delete dropped.books.fields.subtitle;
  await repo.branch("b", dropped, ["drop_column:books.subtitle"]);
  await repo.branch("a", shop({ email: text }, {}));
  repo.merge("b");
  expect((await repo.generate({ rebase: ["0002_drop_subtitle_from_books"] })).problems).toEqual([]);
  expect(repo.read("generated/migrations/0003_drop_subtitle_from_books.ts")).toContain(
    "// Destructive: drop_column:books.subtitle, accepted",
  );
});

test("new names that the models do not tell any more are given again", async () => {
  const closedTo = (field: string) => ({ ...access, fields: { [field]: { read: ["owner"] } } });
  const pens = { fields: { colour: text, ink: text }, access: closedTo("ink") };
  const repo = await repository({ ...initial, pens });
  const fields = { colour: text, fluid: { ...text, renamed_from: "ink" } };
  await repo.branch("b", { ...initial, quills: { fields, access: closedTo("fluid"), renamed_from: "pens" } });
  const quills = { fields: { colour: text, fluid: text }, access: closedTo("fluid") };
  repo.write("models/models.json", { ...initial, quills });
  await repo.generate();
  repo.commit();
  const withEmail = shop({ email: text }, {});
  await repo.branch("a", { ...withEmail, pens });
  repo.merge("b");
  const rebase = ["0002_rename_pens_to_quills_and_more"];
  repo.write("models/models.json", { ...withEmail, quills: { ...quills, access } });
  expect((await repo.generate({ rebase })).report).toMatchObject({
    widenedAccess: [],
    widenedFields: [{ id: "quills.fluid read by *" }],
  });
  repo.write("models/models.json", { ...withEmail, quills });
  const { problems, report } = await repo.generate({ rebase });
  expect(problems).toEqual([]);
  // biome-ignore format: one case a line
  expect(report).toMatchObject({ models: { added: [], renamed: ["pens → quills"] },
    fields: { added: [], renamed: ["quills.ink → fluid"] },
    migrations: [{ steps: expect.arrayContaining([{ id: "rename_table:pens", class: "additive", why: null, breaksOlder: true }]) }],
  });
});

test("a rebase accepts nothing that was not accepted before", async () => {
  const repo = copyOfRepository(twoFields);
  repo.merge("b");
  const dropped = structuredClone<{ authors: { fields: { country?: object } } }>(
    shop({ email: text }, { isbn: text }),
  );
  delete dropped.authors.fields.country;
  repo.write("models/models.json", dropped);
  const flags = `--rebase ${isbn} --accept-destructive drop_column:authors.country`;
  expect(await repo.generate({ rebase: [isbn] })).toMatchObject({
    exitCode: 1,
    problems: [{ kind: "destructive", fix: `npm run generate -- ${flags}` }],
  });
  expect(namesIn(repo)).toContain(`${isbn}.ts`);
});

test("two migrations of one name that differ are a conflict that says what to keep", async () => {
  const repo = copyOfRepository(start);
  await repo.branch("b", shop({}, { isbn: { ...text, max_length: 13 } }));
  await repo.branch("a", shop({}, { isbn: { ...text, max_length: 20 } }));
  const path = `generated/migrations/${isbn}.ts`;
  expect(repo.merge("b")).toContain(path);
  repo.write("models/models.json", shop({}, { isbn: { ...text, max_length: 20 } }));
  const { exitCode, problems } = await repo.generate({ mode: "check" });
  expect({ exitCode, kind: problems[0]?.kind }).toEqual({ exitCode: 1, kind: "history" });
  expect(problems[0]?.message).toContain(`${path} has conflict markers`);
  expect(problems[0]?.fix).toContain(`git checkout --ours -- ${path}, or --theirs`);
  // The shared database has the shorter one.
  repo.git("checkout", "--quiet", "b", "--", path);
  expect((await repo.generate()).problems).toEqual([]);
  expect(repo.read("generated/migrations/0003_retype_isbn_of_books.ts")).toContain('step: "set_type"');
  expect((await repo.generate({ mode: "check" })).exitCode).toBe(0);
});

test("a name that is on no branch is an error, and names the nearest", async () => {
  const repo = copyOfRepository(twoFields);
  repo.merge("b");
  const { exitCode, problems } = await repo.generate({ rebase: ["0002_add_isbn_to_boks", "0001_initial"] });
  expect(exitCode).toBe(2);
  expect(problems).toMatchObject([
    {
      kind: "unknown-migration",
      message:
        "0002_add_isbn_to_boks cannot be derived again: it does not exist, or several branches build on it; " +
        `did you mean "${isbn}"?\n` +
        "0001_initial cannot be derived again: it does not exist, or several branches build on it",
      details: `  ${email}\n  ${isbn}\n`,
    },
  ]);
});

test("a migration that came with a merge is not taken for one that a killed run left", async () => {
  const repo = copyOfRepository(start);
  await repo.branch("a", shop({ email: text }, {}));
  const path = `generated/migrations/${email}.ts`;
  const migration = repo.read(path);
  for (const file of ["manifest.lock.json", "migrations/schema.json"])
    repo.git("checkout", "--quiet", "main", "--", `generated/${file}`);
  const { exitCode, report } = await repo.generate();
  expect({ exitCode, derived: report?.history.derived, migrations: report?.migrations }).toEqual({
    exitCode: 0,
    derived: "belonged to 0001_initial",
    migrations: [],
  });
  expect(repo.read(path)).toBe(migration);
});

test("a generated file with the marks of a merge is made again", async () => {
  const { generate, read, write } = project(initial);
  await generate();
  const policy = read("generated/models/books/policy.ts");
  write("generated/models/books/policy.ts", `<<<<<<< a\n${policy}=======\n${policy}>>>>>>> b\n`);
  expect((await generate({ mode: "check" })).problems).toMatchObject([{ kind: "drift" }]);
  expect((await generate()).problems).toEqual([]);
  expect(read("generated/models/books/policy.ts")).toBe(policy);
});

test("two branches that each add a model, where git can bring nothing together", async () => {
  const repo = copyOfRepository(twoModels);
  expect(repo.merge("b")).toContain("generated/access-matrix.txt");
  repo.write("models/models.json", { ...initial, maps: pens, pens });
  expect((await repo.generate({ rebase: ["0002_create_pens"] })).problems).toEqual([]);
  expect((await repo.generate({ mode: "check" })).exitCode).toBe(0);
  expect(repo.read("generated/index.ts")).toContain("models: [authors, books, maps, pens],");
});

test("access that gets wider in a merge is found although the matrix has the marks of it", async () => {
  const repo = copyOfRepository(twoModels);
  expect(repo.merge("b")).toContain("generated/access-matrix.txt");
  const open = { ...initial.authors, access: { fetch: [{ role: "*" }] } };
  repo.write("models/models.json", { ...initial, authors: open, maps: pens, pens });
  const { exitCode, report } = await repo.generate({ rebase: ["0002_create_pens"] });
  expect(exitCode).toBe(1);
  expect(JSON.stringify(report)).toContain("authors.fetch");
});

const apart = { atlases: pens, ...initial, pens };

function mergedMatrix(): Repository {
  const repo = copyOfRepository(apartModels);
  // biome-ignore format: one case a line
  expect(repo.merge("b", false)).toEqual([
    "generated/graphql/schema.graphql", "generated/index.ts", "generated/manifest.lock.json", "generated/migrations/schema.json",
  ]);
  expect(repo.read("models/models.json")).toBe(JSON.stringify(apart, null, 2));
  return repo;
}

test.each(["under way", "committed"])("a merge of two new models that is %s goes on", async (state) => {
  const repo = mergedMatrix();
  if (state === "committed") repo.commit();
  expect((await repo.generate({ mode: "check" })).problems).toMatchObject([{ kind: "heads" }]);
  const { exitCode, problems } = await repo.generate({ rebase: ["0002_create_pens"] });
  expect({ exitCode, problems }).toEqual({ exitCode: 0, problems: [] });
  expect((await repo.generate({ mode: "check" })).exitCode).toBe(0);
});

test("access that gets wider in a merge is found although git merged the matrix", async () => {
  const repo = mergedMatrix();
  const open = { ...initial.authors, access: { fetch: [{ role: "*" }] } };
  repo.write("models/models.json", { ...apart, authors: open });
  const { exitCode, report } = await repo.generate({ rebase: ["0002_create_pens"] });
  expect({ exitCode, widened: report?.widenedAccess.map(({ id }) => id) }).toEqual({
    exitCode: 1,
    widened: ["authors.fetch to *: all rows"],
  });
});

test("if the access before a merge is unknown, the printed command has all flags", async () => {
  const repo = mergedMatrix();
  repo.remove(".git");
  // biome-ignore format: one case a line
  expect(await repo.generate({ rebase: ["0002_create_pens"] })).toMatchObject({ exitCode: 1,
    problems: [{ kind: "access", message: "generated/access-matrix.txt was changed by a merge, so Kirak cannot tell which access is new",
      fix: "restore it from version control, or compare with a commit: " + "npm run generate -- --base HEAD --rebase 0002_create_pens" }],
  });
});

test("a commit provides the former access if the lock of a merge is gone", async () => {
  const repo = mergedMatrix();
  const options = { rebase: ["0002_create_pens"], force: true };
  repo.git("checkout", "--ours", "--", "generated/manifest.lock.json");
  expect((await repo.generate({ ...options, mode: "preview" })).problems).toEqual([]);
  repo.remove("generated/manifest.lock.json");
  const [problem] = (await repo.generate(options)).problems;
  expect(problem?.fix).toMatch(/: npm run generate -- --base HEAD --rebase 0002_create_pens --force$/);
  const open = { ...initial.authors, access: { fetch: [{ role: "*" }] } };
  repo.write("models/models.json", { ...apart, authors: open });
  const widened = await repo.generate({ ...options, base: "HEAD" });
  expect(widened.problems[0]?.message).toMatch(/^WIDER ACCESS/);
  repo.write("models/models.json", apart);
  expect((await repo.generate({ ...options, base: "HEAD" })).problems).toEqual([]);
});

test("an edited migration is noticed although the lock has merge markers", async () => {
  const repo = copyOfRepository(twoFields);
  repo.merge("b");
  const first = "generated/migrations/0001_initial.ts";
  repo.write(first, repo.read(first).replace("// Additive", "// Edited"));
  const { exitCode, problems } = await repo.generate({ rebase: [isbn] });
  expect({ exitCode, kinds: problems.map(({ kind }) => kind) }).toEqual({ exitCode: 1, kinds: ["edited"] });
  expect(problems[0]?.message).toContain(first);
});
