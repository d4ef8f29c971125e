import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCatalog } from "#runtime/migrations/catalog/read-catalog";
import { lossesOf } from "#runtime/migrations/runner/index";
import { planOnline } from "#runtime/migrations/runner/plan/online-plan";
import { undoToSql } from "#runtime/migrations/runner/plan/undo";
import { stepToSql } from "#runtime/migrations/runner/steps/steps-to-sql";
import type { CatalogTable } from "#vocabulary/migrations/catalog";
import type { Column, ColumnType, Index, Step } from "#vocabulary/migrations/migration-steps";
import { testDatabase } from "../../../support/database.ts";

const column = (name: string, more: Partial<Column> = {}): Column => ({
  name,
  type: "text",
  nullable: true,
  ...more,
});
const index = (name: string, columns: string[], more: Partial<Index> = {}): Index => ({
  name,
  columns,
  unique: false,
  live: false,
  ...more,
});
const addIndex = (table: string, ...columns: string[]): Step => ({
  step: "add_index",
  table,
  index: index(`${table}_${columns.join("_")}_idx`, columns),
});
const addKey = (table: string, name: string, target: string, to = "id"): Step => ({
  step: "add_foreign_key",
  table,
  foreignKey: {
    name: `${table}_${name}_fkey`,
    column: name,
    references: { table: target, column: to },
    onDelete: "restrict",
  },
});
const create = (table: string): Step => ({
  step: "create_table",
  table,
  columns: [column("id", { type: "bigint", nullable: false, default: "identity" }), column("slug")],
});

/** The statements of each phase, each after the number of its step. */
function planned(...steps: Step[]) {
  const plan = planOnline(steps);
  const lines = (statements: typeof plan.main) => statements.map(({ step, sql }) => `${step + 1} ${sql}`);
  return {
    ahead: lines(plan.ahead),
    online: lines(plan.online),
    main: lines(plan.main),
    undo: plan.undo.map(undoToSql),
  };
}

/** Steps that are done in one transaction, as they are. */
function expectPlain(...steps: Step[]): void {
  const main = steps.map((step, at) => `${at + 1} ${stepToSql(step)}`);
  expect(planned(...steps)).toEqual({ ahead: [], online: [], main, undo: [] });
}

test("an index is made concurrently, and gets its name at its place", () => {
  const unique: Step = {
    step: "add_index",
    table: "books",
    index: index("books_isbn_key", ["isbn"], { unique: true, live: true }),
  };
  const note: Step = { step: "drop_column", table: "books", column: "note" };
  expect(planned(note, unique)).toEqual({
    ahead: [],
    online: [
      '2 create unique index concurrently "kirak__step_2" on "books" ("isbn") where "deleted_at" is null',
    ],
    main: [
      '1 alter table "books" drop column "note"',
      '2 alter index "kirak__step_2" rename to "books_isbn_key"',
    ],
    undo: ['drop index if exists "kirak__step_2"'],
  });
  expect(planOnline([note, unique]).names).toEqual(new Map([["kirak__step_2", "books_isbn_key"]]));
});

test("a foreign key to a new table: both are made ahead, and the rows are read outside the transaction", () => {
  const plan = planned(
    create("authors"),
    { step: "add_column", table: "books", column: column("author_id", { type: "bigint" }) },
    addKey("books", "author_id", "authors"),
  );
  expect(plan).toEqual({
    ahead: [
      `1 ${stepToSql(create("authors"))}`,
      '2 alter table "books" add column "author_id" bigint',
      '3 alter table "books" add constraint "kirak__step_3" foreign key ("author_id") references "authors" ("id") on delete restrict not valid',
    ],
    online: ['3 alter table "books" validate constraint "kirak__step_3"'],
    main: ['3 alter table "books" rename constraint "kirak__step_3" to "books_author_id_fkey"'],
    undo: [
      'alter table if exists "books" drop constraint if exists "kirak__step_3"',
      'alter table if exists "books" drop column if exists "author_id"',
      'drop table if exists "authors"',
    ],
  });
});

test("a check, and a column that becomes required, are proved outside the transaction", () => {
  const plan = planned(
    {
      step: "add_check",
      table: "books",
      check: { name: "books_status_check", column: "status", oneOf: ["draft"] },
    },
    { step: "set_nullable", table: "books", column: "title", nullable: false },
  );
  expect(plan.ahead).toEqual([
    `1 alter table "books" add constraint "kirak__step_1" check ("status" in ('draft')) not valid`,
    '2 alter table "books" add constraint "kirak__step_2" check ("title" is not null) not valid',
  ]);
  expect(plan.online).toEqual([
    '1 alter table "books" validate constraint "kirak__step_1"',
    '2 alter table "books" validate constraint "kirak__step_2"',
  ]);
  expect(plan.main).toEqual([
    '1 alter table "books" rename constraint "kirak__step_1" to "books_status_check"',
    '2 alter table "books" alter column "title" set not null',
    '2 alter table "books" drop constraint "kirak__step_2"',
  ]);
});

test("steps before a rename use the former names", () => {
  const plan = planned(
    { step: "rename_table", table: "authors", to: "writers" },
    { step: "rename_column", table: "books", column: "author_id", to: "writer_id" },
    addIndex("books", "writer_id"),
    addKey("books", "writer_id", "writers"),
  );
  expect(plan.online[0]).toBe('3 create index concurrently "kirak__step_3" on "books" ("author_id")');
  expect(plan.ahead).toEqual([
    '4 alter table "books" add constraint "kirak__step_4" foreign key ("author_id") references "authors" ("id") on delete restrict not valid',
  ]);
});

test("if all tables are new, they and all that is on them are one transaction", () => {
  expectPlain(create("a"), create("b"), addIndex("a", "slug"), addKey("b", "id", "a"), {
    step: "set_nullable",
    table: "b",
    column: "slug",
    nullable: false,
  });
});

test("drops and fast steps are one transaction", () => {
  expectPlain(
    { step: "drop_index", table: "books", name: "books_isbn_key" },
    {
      step: "add_column",
      table: "books",
      column: column("a", { nullable: false, default: { literal: "" } }),
    },
    { step: "set_nullable", table: "books", column: "title", nullable: true },
    { step: "set_default", table: "books", column: "title", type: "text", default: null },
  );
});

// biome-ignore format: one case a line
const conflicts: readonly [string, ...Step[]][] = [
  ["an index on a column of another type", { step: "set_type", table: "books", column: "pages", type: "bigint" }, addIndex("books", "pages")],
  ["an index on a column that was dropped and made again", { step: "drop_column", table: "books", column: "pages" },
    { step: "add_column", table: "books", column: column("pages") }, addIndex("books", "pages")],
  ["an index on a column whose name another one had", { step: "rename_column", table: "books", column: "pages", to: "old" },
    { step: "add_column", table: "books", column: column("pages") }, addIndex("books", "pages")],
  ["an index on a column that gives each row a value of its own",
    { step: "add_column", table: "books", column: column("code", { type: "uuid", nullable: false, default: "random_uuid" }) },
    addIndex("books", "code")],
  ["an index on a required column that only an empty table can get",
    { step: "add_column", table: "books", column: column("code", { nullable: false }) }, addIndex("books", "code")],
  ["an index of a table that takes the place of another", { step: "rename_table", table: "books", to: "old_books" }, create("books"),
    addIndex("books", "slug")],
  ["a foreign key to ids of another type", { step: "set_id_type", table: "authors", type: "uuid", references: [] },
    addKey("books", "author_id", "authors")],
  ["a foreign key to a column whose unique index is new", { step: "drop_index", table: "authors", name: "authors_slug_key" },
    addKey("books", "author", "authors", "slug")],
  ["a foreign key to a table whose sequence may get the name of a dropped one's", { step: "drop_table", table: "authors_id" }, create("authors"),
    addKey("books", "author_id", "authors")],
  ["a foreign key to a table whose key may get the name of another one's",
    { step: "rename_constraint", table: "writers", name: "authors_pkey", to: "writers_pkey" }, create("authors"),
    addKey("books", "author_id", "authors")],
  ["a foreign key to a column whose unique index comes with it", { step: "drop_primary_key", table: "authors", name: "authors_pkey" },
    addKey("books", "author", "authors", "slug")],
];

test.each(conflicts)("in one transaction: %s", (_, ...steps) => expectPlain(...steps));

const slugKey = index("authors_slug_key", ["slug"], { unique: true });

// biome-ignore format: one case a line
test.each<[string, ...Step[]]>([
  ["another table goes", { step: "drop_table", table: "old" }, create("authors"), addKey("books", "author_id", "authors")],
  ["a constraint of another table is renamed", { step: "rename_constraint", table: "old", name: "old_a_check", to: "old_b_check" },
    create("authors"), addKey("books", "author_id", "authors")],
  ["another column of the target becomes unique",
    { step: "add_index", table: "authors", index: { ...slugKey, name: "authors_mail_key", columns: ["mail"] } },
    addKey("books", "author", "authors", "slug")],
  ["an index on another column of the target goes", { step: "drop_index", table: "authors", name: "authors_mail_key" },
    addKey("books", "author", "authors", "slug")],
])("a foreign key is proved outside the transaction, also when %s", (_, ...steps) => {
  expect(planned(...steps).online.at(-1)).toMatch(/^\d alter table "books" validate constraint/);
});

test("a foreign key waits for the unique index that it needs, also when its column is renamed", () => {
  const plan = planned(
    { step: "add_index", table: "authors", index: slugKey },
    { step: "rename_column", table: "authors", column: "slug", to: "code" },
    addKey("books", "author", "authors", "code"),
  );
  expect(plan.main.at(-1)).toBe(`3 ${stepToSql(addKey("books", "author", "authors", "code"))}`);
});

const tables = fc.constantFrom("a", "b", "c", "a", "b");
const columns = fc.constantFrom("x", "y", "z", "deleted_at");
const names = fc.constantFrom("one", "two", "three");
const types = fc.constantFrom<Column["type"][]>("text", "bigint", "varchar(20)");
const at = { table: tables };

function columnsOf(name: string, type: Column["type"], nullable: boolean, value: string | null): Column {
  return { name, type, nullable, ...(value === null ? {} : { default: { literal: value } }) };
}

const someColumn = fc
  .tuple(columns, types, fc.boolean(), fc.constantFrom(null, "1"))
  .map((parts) => columnsOf(...parts));
const idColumn: Column = { name: "id", type: "bigint", nullable: false, default: "identity" };

// biome-ignore format: one case a line
const kept: fc.Arbitrary<Step>[] = [
  fc.record({ step: fc.constant("add_index"), ...at,
      index: fc.record({ name: names, columns: fc.uniqueArray(columns, { minLength: 1, maxLength: 2 }), unique: fc.boolean(), live: fc.boolean() }) }),
  fc.record({ step: fc.constant("add_foreign_key"), ...at,
      foreignKey: fc.record({ name: names, column: columns,
          references: fc.record({ table: tables, column: fc.constantFrom("id", "id", "x", "y") }),
          onDelete: fc.constantFrom("restrict", "cascade", "set_null") }) }),
  fc.record({ step: fc.constant("add_check"),
    ...at,
    check: fc.record({ name: names, column: columns, oneOf: fc.constantFrom(["1", "2"], [1, 2, 3]) }),
  }),
  fc.record({ step: fc.constant("add_check"), ...at,
      check: fc.record({ name: names,
          condition: fc.record({ op: fc.constantFrom("or", "and"),
              conditions: fc.tuple(fc.record({ op: fc.constantFrom("is_null", "is_not_null"), field: columns }),
                fc.record({ op: fc.constant("eq"), field: columns, value: fc.record({ field: columns }) }),
                fc.record({ op: fc.constant("not_in"), field: columns, values: fc.constant(["1", "2"]) })) }) }) }),
  fc.record({ step: fc.constant("set_nullable"), ...at, column: columns, nullable: fc.boolean() }),
];

// biome-ignore format: one case a line
const others: fc.Arbitrary<Step>[] = [
  fc.record({ step: fc.constant("create_table"), ...at,
      columns: fc.uniqueArray(someColumn, { selector: ({ name }) => name, maxLength: 3 }).map((some) => [idColumn, ...some]) }),
  fc.record({ step: fc.constant("drop_table"), ...at }),
  fc.record({ step: fc.constant("rename_table"), ...at, to: tables }),
  fc.record({ step: fc.constant("add_column"), ...at, column: someColumn }),
  fc.record({ step: fc.constant("add_column"), ...at, column: someColumn }),
  fc.record({ step: fc.constant("drop_column"), ...at, column: columns }),
  fc.record({ step: fc.constant("rename_column"), ...at, column: columns, to: columns }),
  fc.record({ step: fc.constant("set_type"), ...at, column: columns, type: types }),
  fc.record({ step: fc.constant("set_default"), ...at, column: columns, type: fc.constant("text"), default: fc.constant(null) }),
  fc.record({ step: fc.constant("set_id_type"), ...at, type: fc.constantFrom("uuid", "bigint"), references: fc.constant([]) }),
  fc.record({ step: fc.constant("drop_primary_key"), ...at, name: fc.constantFrom("a_pkey", "b_pkey") }),
  fc.record({ step: fc.constant("drop_index"), ...at, name: names }),
  fc.record({ step: fc.constant("rename_index"), ...at, name: names, to: names }),
  fc.record({ step: fc.constant("rename_constraint"), ...at, name: fc.oneof(names, fc.constant("a_pkey")), to: names }),
  fc.record({ step: fc.constant("drop_check"), ...at, name: names }),
];

const someSteps = fc.array(fc.oneof(...kept, ...kept, ...kept, ...others), { minLength: 4, maxLength: 14 });

const before = `
  CREATE TABLE a (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, x text, y bigint, deleted_at timestamptz(3));
  CREATE TABLE b (id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY, x text NOT NULL, y bigint UNIQUE);
  ALTER TABLE a ADD CONSTRAINT one CHECK (x IN ('1', '2'));
  CREATE INDEX two ON b (x);
  INSERT INTO a (x, y) VALUES ('1', 1), ('2', NULL);
  INSERT INTO b (x, y) VALUES ('1', 1), ('2', 2)`;

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client((await testDatabase()).url);
  await client.connect();
});
afterAll(() => client.end());

test("however steps follow one another, the plan leads where the steps lead, and its undo leads back", async () => {
  let online = 0;
  await fc.assert(
    fc.asyncProperty(someSteps, async (candidates) => {
      await client.query(`BEGIN; CREATE SCHEMA trial; SET LOCAL search_path = trial; ${before}`);
      try {
        const start = await state();
        await client.query("SAVEPOINT start");
        const steps = await possible(candidates);
        const plain = await state();
        await client.query("ROLLBACK TO start");
        const plan = planOnline(steps);
        online += plan.online.length;
        await run([...plan.ahead, ...plan.online].map(({ sql }) => sql));
        await client.query("SAVEPOINT prepared");
        await run(plan.undo.map(undoToSql));
        expect(await state()).toEqual(start);
        await client.query("ROLLBACK TO prepared");
        await run(plan.main.map(({ sql }) => sql));
        const planned = await state();
        expect(planned.tables).toEqual(plain.tables);
        if (!steps.some(({ step }) => step === "set_id_type")) expect(planned.rows).toEqual(plain.rows);
      } finally {
        await client.query("ROLLBACK");
      }
    }),
    { numRuns: 100 },
  );
  expect(online).toBeGreaterThan(40);
}, 60_000);

/** Performs the steps that PostgreSQL takes, and gives them. */
async function possible(candidates: readonly Step[]): Promise<Step[]> {
  const taken: Step[] = [];
  for (const step of candidates) {
    await client.query("SAVEPOINT step");
    try {
      await client.query(stepToSql(step));
      taken.push(step);
    } catch {
      await client.query("ROLLBACK TO step");
    }
  }
  return taken;
}

/** In one transaction here, where nothing is made concurrently. */
async function run(statements: readonly string[]): Promise<void> {
  for (const sql of statements) await client.query(sql.replace(" concurrently", ""));
}

async function state(): Promise<{ tables: CatalogTable[]; rows: unknown[] }> {
  const found = await readCatalog(client, "trial");
  const rows: unknown[] = [];
  for (const { name } of found)
    rows.push((await client.query(`SELECT to_jsonb(t) AS row FROM trial."${name}" t ORDER BY row`)).rows);
  return { tables: found.map(inAnyOrder), rows };
}

/** Columns that are made ahead may stand before others. */
function inAnyOrder(table: CatalogTable): CatalogTable {
  return { ...table, columns: table.columns.toSorted((one, other) => (one.name < other.name ? -1 : 1)) };
}

const retyped = (type: ColumnType, from?: ColumnType) =>
  lossesOf([{ step: "set_type", table: "t", column: "x", type, ...(from === undefined ? {} : { from }) }]);

test.each([
  ["integer", undefined, "t.x: values that do not fit into integer"],
  ["text", "text[]", "t.x: all but the first element of each list, and values that do not fit into text"],
  ["text[]", "text", "t.x: values that do not fit into text[]"],
  ["jsonb", "text[]", "t.x: values that do not fit into jsonb"],
] as const)("%s of %s", (type, from, loss) => {
  expect(retyped(type, from)).toEqual([loss]);
});
