import { expect, test } from "vitest";
import { type History, type NoHistory, readMigrations } from "#generator/migrations/read-history";
import type { Table } from "#generator/migrations/schema";
import { withUsers } from "#generator/migrations/schema-file";
import { tablesOf } from "#generator/migrations/snapshot";
import { checksum } from "#generator/output/lock-file";
import type { OutputFolder } from "#generator/output/output-folder";
import { codeFormat } from "#vocabulary/code-format";
import { field, model, service } from "../support/definitions.ts";

const schemaFile = "migrations/schema.json";
const first = "migrations/0001_initial.ts";
const id = { name: "id", type: "bigint", nullable: false, default: "identity" } as const;
const books = { model: "books", name: "books", columns: [id], indexes: [], foreignKeys: [], checks: [] };

/** A migration file that adds a text column to `books`, or makes the table where it has no parent. */
function migration(name: string, parent: string | null): [string, string] {
  const column = { name: name.slice(5), type: "text", nullable: true } as const;
  const step =
    parent === null
      ? { step: "create_table", table: "books", columns: [id] }
      : { step: "add_column", table: "books", column };
  const header = `export const migration = defineMigration({\n  name: "${name}",\n  parent: ${JSON.stringify(parent)},\n`;
  return [`migrations/${name}.ts`, `${header}  up: [${JSON.stringify(step)}],\n  down: [],\n});\n`];
}

const schemaOf = (name: string | null, ...tables: unknown[]): [string, string] => [
  schemaFile,
  JSON.stringify({ migration: name, tables }),
];

/** An output folder; the lock vouches for all files, and for what `recorded` says. */
function folderOf(
  files: readonly (readonly [string, string])[],
  recorded: Readonly<Record<string, string>> = {},
): OutputFolder {
  const sums = [...files.map(([path, text]) => [path, checksum(text)]), ...Object.entries(recorded)];
  const entries = sums.map(([path = "", sum = ""]) => [path, { source: sum, content: sum }] as const);
  const none = { codeFormat, format: "", models: "", files: new Map() };
  return {
    files: new Map(files),
    lock: { ...none, files: new Map(entries) },
    lockReadable: true,
    sides: [],
    pending: none,
    leftovers: new Map(),
  };
}

const read = (folder: OutputFolder, ...rebase: string[]): Promise<History | NoHistory> =>
  readMigrations(folder, "generated", rebase);

const initial = migration("0001_initial", null);

test("a column that the service has come to have too stops, and says how to go on", async () => {
  const email = { name: "email", type: "text", nullable: true } as const;
  const users = { ...books, model: "users", name: "users", columns: [email] };
  const stop = {
    broken: expect.stringContaining("this version of Kirak has built-in columns"),
    fix: expect.stringContaining("renamed_from"),
  };
  expect(await read(folderOf([initial, schemaOf("0001_initial", users)]))).toMatchObject(stop);
  const [path, text] = migration("0002_email", "0001_initial");
  const added = text.replace('"books"', '"users"');
  expect(await read(folderOf([initial, [path, added]]))).toMatchObject(stop);
});

test("a new folder has no history, and a folder with a migration has its tables", async () => {
  const nothing = {
    names: [],
    links: new Map(),
    snapshot: { migration: null, tables: withUsers([]) },
    derived: null,
    rebased: null,
    unrecorded: [],
  };
  expect(await read(folderOf([]))).toEqual(nothing);
  expect(await read(folderOf([schemaOf(null)]))).toEqual(nothing);
  const tables = tablesOf(service(model("books", { fields: [field("state", { enum: ["a"] })] })));
  // Its text is not what the tables say: nothing reads it while the lock vouches for it.
  expect(await read(folderOf([initial, schemaOf("0001_initial", ...tables)]))).toEqual({
    ...nothing,
    names: ["0001_initial"],
    links: new Map(),
    snapshot: { migration: "0001_initial", tables: withUsers(JSON.parse(JSON.stringify(tables))) },
  });
});

test("migrations are in the order in which they build on each other", async () => {
  const files = [
    initial,
    migration("0002_b", "0003_c"),
    migration("0003_c", "0001_initial"),
    schemaOf("0002_b"),
  ];
  expect(await read(folderOf(files))).toMatchObject({ names: ["0001_initial", "0003_c", "0002_b"] });
});

const whole = { ...books, columns: [id, { name: "a", type: "text", nullable: true }] } satisfies Table;
const second = migration("0002_a", "0001_initial");

// biome-ignore format: one case a line
test.each<[string, [string, string][], string]>([
  ["is missing", [], "was missing"],
  ["has the marks of a merge", [[schemaFile, "<<<<<<< a\n{\n=======\n>>>>>>> b\n"]], "had merge conflict markers"],
  ["is not JSON", [[schemaFile, "{"]], "could not be read"],
  ["has a damaged table", [schemaOf("0002_a", { ...whole, columns: [null] })], "could not be read"],
  ["is of another time", [schemaOf("0001_initial", books)], "belonged to 0001_initial"],
])("a schema that %s is derived from the migrations again", async (_, schema, derived) => {
  expect(await read(folderOf([initial, second, ...schema]))).toEqual({ names: ["0001_initial", "0002_a"],
    links: new Map(),
    snapshot: { migration: "0002_a", tables: withUsers([whole]) },
    derived,
    rebased: null,
    unrecorded: [],
  });
});

test("an edited schema is derived again, and one with other labels and order is accepted", async () => {
  const edited = schemaOf("0002_a", books);
  const sum = { [schemaFile]: "another" };
  expect(await read(folderOf([initial, second, edited], sum))).toMatchObject({
    snapshot: { tables: withUsers([whole]) },
    derived: "did not match the result of the migrations",
  });
  const labelled = { ...whole, model: "Book", columns: [...whole.columns].reverse() };
  expect(await read(folderOf([initial, second, schemaOf("0002_a", labelled)], sum))).toMatchObject({
    snapshot: { tables: withUsers([labelled]) },
    derived: null,
  });
});

// biome-ignore format: one case a line
test.each<[string, [string, string][], Readonly<Record<string, string>>, string]>([
  ["that the lock has is gone", [schemaOf("0001_initial")], { [first]: "x" }, `${first} is missing, and a`],
  ["builds on one that is gone", [second], {}, "0002_a builds on 0001_initial, which is missing"],
  ["builds on itself", [initial, migration("0002_b", "0003_c"), migration("0003_c", "0002_b")], {}, "0002_b builds on itself"],
  ["has another name inside", [["migrations/0001_first.ts", initial[1]]], {},
    "generated/migrations/0001_first.ts declares the migration 0001_initial, which is not the name of the file"],
  ["has an invalid name", [initial, ["migrations/0002_Add.ts", second[1]]], {}, "generated/migrations/0002_Add.ts is not a valid migration name"],
  ["is empty", [[first, ""]], {}, `generated/${first} declares no migration`],
  ["has the marks of a merge", [[first, `<<<<<<< a\n${initial[1]}=======\n>>>>>>> b\n`]], {},
    `generated/${first} has conflict markers: two branches added it, and only one version can stay`],
  ["cannot be read", [[first, initial[1].replace("up: [", "up: [x, ")]], {}, `generated/${first}:4:8 is not data`],
  ["does not fit what comes before", [initial, [second[0], second[1].replace("books", "pens")]], {},
    "generated/migrations/0002_a.ts does not fit the migrations before it: add_column: the table pens does not exist"],
])("a migration that %s is a broken history", async (_, files, recorded, broken) => {
  expect(await read(folderOf(files, recorded))).toMatchObject({ broken: expect.stringContaining(broken) });
});

const merged = [
  initial,
  migration("0002_a", "0001_initial"),
  migration("0002_b", "0001_initial"),
  migration("0003_c", "0002_b"),
  migration("0010_d", "0002_b"),
];

test("heads are found, with their ancestors and the others that would be removed", async () => {
  expect(await read(folderOf(merged))).toEqual({
    branches: {
      parent: "0001_initial",
      heads: [
        { chain: ["0002_a"], others: ["0002_b"] },
        { chain: ["0002_b", "0003_c"], others: ["0002_a", "0010_d"] },
        { chain: ["0002_b", "0010_d"], others: ["0002_a", "0003_c"] },
      ],
    },
  });
  expect(await read(folderOf([migration("0001_a", null), migration("0001_b", null)]))).toMatchObject({
    branches: { parent: null, heads: [{ chain: ["0001_a"], others: ["0001_b"] }, { chain: ["0001_b"] }] },
  });
});

test("a rebase takes a migration away and all later migrations, and replays the rest", async () => {
  expect(await read(folderOf(merged), "0002_b")).toEqual({
    names: ["0001_initial", "0002_a"],
    links: new Map(),
    snapshot: { migration: "0002_a", tables: withUsers([whole]) },
    derived: null,
    rebased: { removed: ["0002_b", "0003_c", "0010_d"], accepted: [], renames: [], customMigrations: [] },
    unrecorded: [],
  });
  expect(await read(folderOf(merged), "0002_a", "0010_d")).toMatchObject({
    names: ["0001_initial", "0002_b", "0003_c"],
    links: new Map(),
  });
});

test("a rebase that leaves several heads is refused", async () => {
  expect(await read(folderOf(merged), "0003_c")).toHaveProperty("branches.heads.length", 3);
});

test("what all heads build on, and what does not exist, cannot be derived again", async () => {
  expect(await read(folderOf(merged), "0001_initial", "0002_a", "0002_x")).toEqual({
    refused: ["0001_initial", "0002_x"],
    candidates: ["0002_a", "0002_b", "0003_c", "0010_d"],
  });
  expect(await read(folderOf([]), "0002_a")).toEqual({ refused: ["0002_a"], candidates: [] });
  expect(await read(folderOf([initial, second, schemaOf("0002_a", whole)]), "0002_x")).toEqual({
    refused: ["0002_x"],
    candidates: ["0001_initial", "0002_a"],
  });
});

test("the parameters of decimals, times and lists are read from the files, and nothing else in their place", async () => {
  const column = (type: string, literal: unknown) => ({
    name: "x",
    type,
    nullable: true,
    default: { literal },
  });
  const index = { name: "books_x_idx", columns: ["x"], unique: false, live: false, method: "gin" };
  const check = { name: "books_x_check", column: "x", oneOf: ["1.50"], elements: "numeric" };
  const file = (...steps: readonly object[]) =>
    `export const migration = defineMigration({ name: "0001_initial", parent: null, up: ${JSON.stringify(steps)}, down: [] });\n`;
  // biome-ignore format: one case a line
  const steps = [
    { step: "create_table", table: "books", columns: [id, column("text", "1.5")] },
    { step: "set_default", table: "books", column: "x", type: "text", default: null },
    { step: "set_type", table: "books", column: "x", type: "numeric(9,2)[]", from: "text" },
    { step: "set_default", table: "books", column: "x", type: "numeric(9,2)[]", default: { literal: ["1.50"] } },
    { step: "add_index", table: "books", index },
    { step: "add_check", table: "books", check },
  ];
  const history = await read(folderOf([[first, file(...steps)]]));
  const expected = {
    ...books,
    columns: [id, column("numeric(9,2)[]", ["1.50"])],
    indexes: [index],
    checks: [check],
  };
  expect(
    "snapshot" in history ? history.snapshot.tables.filter(({ name }) => name === "books") : history,
  ).toEqual([expected]);
  for (const wrong of [
    { step: "add_index", table: "books", index: { ...index, method: "hash" } },
    { step: "add_check", table: "books", check: { ...check, elements: 5 } },
    { step: "set_type", table: "books", column: "x", type: "text", from: 5 },
  ])
    expect(await read(folderOf([[first, file(...steps, wrong)]]))).toMatchObject({
      broken: "generated/migrations/0001_initial.ts is not a list of migration steps",
    });
});
