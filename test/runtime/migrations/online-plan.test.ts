import { expect, test } from "vitest";
import { planOnline } from "#runtime/migrations/plan/online-plan";
import { undoToSql } from "#runtime/migrations/plan/undo";
import { stepToSql } from "#runtime/migrations/steps/steps-to-sql";
import type { Column, Index, Step } from "#vocabulary/migration-steps";

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

test("what is made before a rename uses the former names", () => {
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

test("new tables alone are one transaction, with all that is on them", () => {
  expectPlain(create("a"), create("b"), addIndex("a", "slug"), addKey("b", "id", "a"), {
    step: "set_nullable",
    table: "b",
    column: "slug",
    nullable: false,
  });
});

test("what goes, or is fast, is one transaction", () => {
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
