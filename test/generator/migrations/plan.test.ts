import { expect, test } from "vitest";
import type { ModelDefinition } from "#generator/definition/definition";
import { planMigration, unaccepted } from "#generator/migrations/plan";
import { refusals } from "#generator/migrations/plan-changes";
import { tablesOf } from "#generator/migrations/snapshot";
import { schemaChanges } from "#generator/review/schema-changes";
import { field, model, service } from "../support/definitions.ts";

const plain = { nullable: false, required: true };
const name = field("name", plain);
const key = { name: "books_name_key", fields: ["name"] };
const toAuthors = (onDelete: "restrict" | "cascade") =>
  field("author_id", {
    kind: "bigint",
    foreignKey: { name: "books_author_id_fkey", model: "authors", table: "authors", column: "id", onDelete },
  });
const toName = field("book", {
  foreignKey: {
    name: "notes_book_fkey",
    model: "books",
    table: "books",
    column: "name",
    onDelete: "restrict",
  },
});
const authors = model("authors");
/** A model with a check of which only place and message are given. */
// biome-ignore format: many a line
const checked = (place: string, message: string) =>
  model("books", {
    fields: [field("first"), field("last")],
    checks: [
      {
        ...{ name: "in_order", constraint: `books_${place}_check`, text: "first < last", field: "first", message },
        condition: { op: "lt", field: "first", value: { field: "last" } },
      },
    ],
  });
const books = (...fields: ModelDefinition["fields"]) => model("books", { fields });

/** A table with an index, a check and a foreign key. */
function keyed(table: string, parts: Partial<ModelDefinition>): ModelDefinition {
  const author = toAuthors("restrict");
  const foreignKey = author.foreignKey && { ...author.foreignKey, name: `${table}_author_id_fkey` };
  return model(table, {
    fields: [field("state", { enum: ["a"] }), { ...author, foreignKey }],
    uniqueKeys: [{ name: `${table}_state_key`, fields: ["state"] }],
    indexes: [{ name: `${table}_author_id_idx`, fields: ["author_id"] }],
    ...parts,
  });
}

function indexed(...indexes: readonly [name: string, field: string][]): ModelDefinition {
  return model("books", {
    fields: [field("x"), field("y")],
    indexes: indexes.map(([index, column]) => ({ name: index, fields: [column] })),
  });
}

interface Case {
  readonly title: string;
  readonly before: readonly ModelDefinition[];
  readonly after: readonly ModelDefinition[];
  /** Steps as `id class`. */
  readonly steps: readonly string[];
  readonly name?: string;
}

// biome-ignore format: one case a line
const cases: readonly Case[] = [
  { title: "a model is added", before: [books()], after: [books(), authors], steps: ["create_table:authors additive"], name: "0002_create_authors" },
  { title: "two models that refer to each other are dropped", before: [authors, books(toAuthors("restrict"))], after: [],
    steps: ["drop_foreign_key:books.books_author_id_fkey widening", "drop_table:authors destructive", "drop_table:books destructive"],
    name: "0002_drop_authors_and_books" },
  { title: "an optional field is added", before: [books()], after: [books(field("isbn"))], steps: ["add_column:books.isbn additive"],
    name: "0002_add_isbn_to_books" },
  { title: "two fields are added", before: [books()], after: [books(field("isbn"), field("pages", { kind: "integer" }))],
    steps: ["add_column:books.isbn additive", "add_column:books.pages additive"], name: "0002_add_isbn_and_pages_to_books" },
  { title: "a required field with a default is added", before: [books()], after: [books(field("isbn", { ...plain, default: "-" }))],
    steps: ["add_column:books.isbn additive"] },
  { title: "a required field without a default is added", before: [books()], after: [books(field("isbn", plain))],
    steps: ["add_column:books.isbn destructive"] },
  { title: "a field is dropped, with its index", before: [model("books", { fields: [name], uniqueKeys: [key] })], after: [books()],
    steps: ["drop_index:books.books_name_key widening", "drop_column:books.name destructive"], name: "0002_drop_name_from_books" },
  { title: "a field is renamed", before: [books(field("title"))], after: [books(field("name", { renamedFrom: "title" }))],
    steps: ["rename_column:books.title additive"], name: "0002_rename_books_title_to_name" },
  { title: "a rename that comes with another change is not all that the name tells",
    before: [books(field("title", { maxLength: 10 }), field("body"))],
    after: [books(field("title", { maxLength: 20 }), field("content", { renamedFrom: "body" }))],
    steps: ["rename_column:books.body additive", "set_type:books.title widening"], name: "0002_change_books" },
  { title: "a renamed model that changes is not a mere rename", before: [books(field("name", { maxLength: 10 }))],
    after: [model("novels", { renamedFrom: "books", fields: [field("name", { maxLength: 20 })] })],
    steps: ["rename_table:books additive", "set_type:novels.name widening"], name: "0002_rename_books_to_novels_and_more" },
  { title: "an index is added", before: [books(name)],
    after: [model("books", { fields: [name], indexes: [{ name: "books_name_idx", fields: ["name"] }] })],
    steps: ["add_index:books.books_name_idx additive"], name: "0002_add_index_name_to_books" },
  { title: "a unique key goes while a field comes", before: [model("books", { fields: [name], uniqueKeys: [key] })],
    after: [books(name, field("isbn"))], steps: ["drop_index:books.books_name_key widening", "add_column:books.isbn additive"],
    name: "0002_change_books" },
  { title: "a rename that happened is not done again", before: [books(field("name"))], after: [books(field("name", { renamedFrom: "title" }))],
    steps: [] },
  { title: "a model is renamed", before: [books(name)], after: [model("novels", { renamedFrom: "books", fields: [name] })],
    steps: ["rename_table:books additive"], name: "0002_rename_books_to_novels" },
  { title: "the table of a model gets another name", before: [books(name)], after: [model("books", { table: "novels", fields: [name] })],
    steps: ["rename_table:books additive"] },
  { title: "a model with another key is another model", before: [books(name)], after: [model("novels", { fields: [name] })],
    steps: ["drop_table:books destructive", "create_table:novels additive"], name: "0002_change_books_and_novels" },
  { title: "a string gets longer", before: [books(field("name", { maxLength: 10 }))], after: [books(field("name", { maxLength: 20 }))],
    steps: ["set_type:books.name widening"], name: "0002_retype_name_of_books" },
  { title: "a string gets shorter", before: [books(field("name", { maxLength: 20 }))], after: [books(field("name", { maxLength: 10 }))],
    steps: ["set_type:books.name destructive"] },
  { title: "a string becomes text, with a default", before: [books(field("name", { default: "a" }))],
    after: [books(field("name", { kind: "text", default: "b" }))],
    steps: ["set_default:books.name widening", "set_type:books.name widening", "set_default:books.name widening"],
    name: "0002_retype_name_of_books" },
  { title: "a text becomes an integer", before: [books(field("name", { kind: "text" }))], after: [books(field("name", { kind: "integer" }))],
    steps: ["set_type:books.name destructive"] },
  { title: "a field may be null", before: [books(name)], after: [books(field("name"))], steps: ["set_nullable:books.name widening"],
    name: "0002_make_name_optional_in_books" },
  { title: "a field cannot be null any more", before: [books(field("name"))], after: [books(name)], steps: ["set_nullable:books.name destructive"],
    name: "0002_make_name_required_in_books" },
  { title: "a default is set", before: [books(field("name"))], after: [books(field("name", { default: "x" }))],
    steps: ["set_default:books.name widening"], name: "0002_set_default_of_name_in_books" },
  { title: "the keys of a JSON default are in another order", before: [books(field("data", { kind: "json", default: { a: 1, b: -0 } }))],
    after: [books(field("data", { kind: "json", default: { b: 0, a: 1 } }))], steps: [] },
  { title: "a check comes", before: [books(field("first"), field("last"))], after: [checked("01", "No.")],
    steps: ["add_check:books.books_01_check destructive"], name: "0002_check_first_and_last_of_books" },
  { title: "a check goes", before: [checked("01", "No.")], after: [books(field("first"), field("last"))],
    steps: ["drop_check:books.books_01_check widening"], name: "0002_drop_books_01_check_from_books" },
  { title: "a check has another message", before: [checked("01", "No.")], after: [checked("01", "Never.")], steps: [] },
  { title: "a check has another place", before: [checked("01", "No.")], after: [checked("02", "No.")],
    steps: ["rename_constraint:books.books_01_check additive"] },
  { title: "an enum takes one value more", before: [books(field("state", { enum: ["a"] }))], after: [books(field("state", { enum: ["a", "b"] }))],
    steps: ["drop_check:books.books_state_check widening", "add_check:books.books_state_check widening"], name: "0002_change_state_values_of_books" },
  { title: "an enum takes one value less", before: [books(field("state", { enum: ["a", "b"] }))], after: [books(field("state", { enum: ["a"] }))],
    steps: ["drop_check:books.books_state_check widening", "add_check:books.books_state_check destructive"] },
  { title: "a field becomes an enum", before: [books(field("state"))], after: [books(field("state", { enum: ["a"] }))],
    steps: ["add_check:books.books_state_check destructive"] },
  { title: "a unique key is added", before: [books(name)], after: [model("books", { fields: [name], uniqueKeys: [key] })],
    steps: ["add_index:books.books_name_key destructive"], name: "0002_add_unique_name_to_books" },
  { title: "soft delete makes unique keys partial", before: [model("books", { fields: [name], uniqueKeys: [key] })],
    after: [model("books", { fields: [name], uniqueKeys: [key], softDelete: true })],
    steps: ["drop_index:books.books_name_key widening", "add_column:books.deleted_at additive", "add_index:books.books_name_key additive"],
    name: "0002_add_deleted_at_to_books" },
  { title: "a foreign key is added", before: [authors, books()], after: [authors, books(toAuthors("restrict"))],
    steps: ["add_column:books.author_id additive", "add_foreign_key:books.books_author_id_fkey additive"], name: "0002_add_author_id_to_books" },
  { title: "a foreign key deletes with what it refers to", before: [authors, books(toAuthors("restrict"))],
    after: [authors, books(toAuthors("cascade"))],
    steps: ["drop_foreign_key:books.books_author_id_fkey widening", "add_foreign_key:books.books_author_id_fkey additive"] },
  { title: "a field and its unique key come together: nulls do not collide", before: [books()],
    after: [model("books", { fields: [field("name")], uniqueKeys: [key] })],
    steps: ["add_column:books.name additive", "add_index:books.books_name_key additive"], name: "0002_add_name_to_books" },
  { title: "a unique field with a default is added: two rows collide", before: [books()],
    after: [model("books", { fields: [field("name", { ...plain, default: "-" })], uniqueKeys: [key] })],
    steps: ["add_column:books.name additive", "add_index:books.books_name_key destructive"] },
  { title: "a unique key goes with the foreign key that needs it",
    before: [model("books", { fields: [name], uniqueKeys: [key] }), model("notes", { fields: [toName] })],
    after: [books(name), model("notes", { fields: [field("book")] })],
    steps: ["drop_foreign_key:notes.notes_book_fkey widening", "drop_index:books.books_name_key widening"] },
  { title: "a field becomes a foreign key", before: [authors, books(field("author_id", { kind: "bigint" }))],
    after: [authors, books(toAuthors("restrict"))], steps: ["add_foreign_key:books.books_author_id_fkey destructive"] },
  { title: "a date becomes a number, which no cast can do", before: [books(field("day", { kind: "date" }))],
    after: [books(field("day", { kind: "integer" }))], steps: ["drop_column:books.day destructive", "add_column:books.day additive"] },
  { title: "a text becomes a password, under another name", before: [books(field("pin", { kind: "text" }))],
    after: [books(field("code", { kind: "password", renamedFrom: "pin" }))],
    steps: ["drop_column:books.pin destructive", "add_column:books.code additive"] },
  { title: "a renamed table renames its index, its check and its foreign key",
    before: [authors, keyed("books", { renamedFrom: null })],
    after: [authors, keyed("novels", { renamedFrom: "books" })],
    steps: [
      "rename_table:books additive", "rename_index:novels.books_state_key additive", "rename_index:novels.books_author_id_idx additive",
      "rename_constraint:novels.books_state_check additive", "rename_constraint:novels.books_author_id_fkey additive",
    ],
    name: "0002_rename_books_to_novels",
  },
  { title: "a renamed field renames its index",
    before: [model("books", { fields: [name], uniqueKeys: [key] })],
    after: [model("books", { fields: [field("title", { ...plain, renamedFrom: "name" })], uniqueKeys: [{ name: "books_title_key", fields: ["title"] }] })],
    steps: ["rename_column:books.name additive", "rename_index:books.books_name_key additive"],
    name: "0002_rename_books_name_to_title",
  },
  { title: "an index takes the name that another one gives up: that one goes first", before: [indexed(["a_idx", "x"], ["b_idx", "y"])],
    after: [indexed(["b_idx", "x"], ["c_idx", "y"])], steps: ["rename_index:books.b_idx additive", "rename_index:books.a_idx additive"] },
  { title: "an index takes the name of one that goes", before: [indexed(["b_idx", "y"], ["a_idx", "x"])], after: [indexed(["a_idx", "y"])],
    steps: ["drop_index:books.a_idx widening", "rename_index:books.b_idx additive"] },
  { title: "indexes that change names are made again",
    before: [indexed(["a_idx", "x"], ["b_idx", "y"])],
    after: [indexed(["b_idx", "x"], ["a_idx", "y"])],
    steps: ["drop_index:books.a_idx additive", "drop_index:books.b_idx additive", "add_index:books.b_idx additive", "add_index:books.a_idx additive"],
  },
  { title: "an id gets another type, with all that refers to it",
    before: [authors, books(toAuthors("restrict"))],
    after: [model("authors", { idType: "uuid" }), books({ ...toAuthors("restrict"), kind: "uuid" })],
    steps: [
      "drop_foreign_key:books.books_author_id_fkey additive",
      "set_id_type:authors destructive",
      "add_foreign_key:books.books_author_id_fkey additive",
    ],
    name: "0002_change_ids_of_authors_to_uuid",
  },
  { title: "the values of an enum are in another order", before: [books(field("size", { kind: "float", enum: [0, 1] }))],
    after: [books(field("size", { kind: "float", enum: [1, -0] }))], steps: [] },
];

test.each(cases)("$title", ({ before, after, steps, name: expected }) => {
  const tables = tablesOf(service(...before));
  const plan = planMigration(service(...after), { migration: "0001_initial", tables }, ["0001_initial"]);
  expect(plan.migration?.changes.map((change) => `${change.id} ${change.class}`) ?? []).toEqual(steps);
  if (expected !== undefined) expect(plan.migration?.name).toBe(expected);
});

test("the first migration is the initial one and has no parent", () => {
  const { migration, history } = planMigration(service(books(name)), { migration: null, tables: [] }, []);
  expect(migration).toMatchObject({ name: "0001_initial", parent: null });
  expect(history).toEqual(["0001_initial"]);
});

test("destructive steps wait until their ids are accepted", () => {
  const tables = tablesOf(service(books(name, field("isbn"))));
  const plan = planMigration(service(books()), { migration: "0001_initial", tables }, ["0001_initial"]);
  const ids = (accepted: readonly string[]) => unaccepted(plan, accepted).map(({ id }) => id);
  expect(ids([])).toEqual(["drop_column:books.name", "drop_column:books.isbn"]);
  expect(ids(["drop_column:books.name"])).toEqual(["drop_column:books.isbn"]);
  expect(ids(["drop_column:books.name", "drop_column:books.isbn"])).toEqual([]);
});

test("the default of a password stays out of the schema", () => {
  const [table] = tablesOf(service(books(field("secret", { kind: "password", default: "1234" }))));
  expect(table?.columns[1]).toEqual({ name: "secret", type: "text", nullable: true, secret: true });
});

test("the report tells renamed models and fields from added and removed ones", () => {
  const tables = tablesOf(service(books(field("title"), field("old")), authors));
  const novels = model("novels", {
    renamedFrom: "books",
    fields: [field("name", { renamedFrom: "title" }), field("new")],
  });
  const plan = planMigration(service(novels, model("shops")), { migration: "0001_initial", tables }, [
    "0001_initial",
  ]);
  expect(schemaChanges({ before: tables, after: plan.after.tables, renames: plan.renames })).toEqual({
    models: { added: ["shops"], removed: ["authors"], renamed: ["books → novels"] },
    fields: { added: ["novels.new"], removed: ["books.old"], renamed: ["novels.title → name"] },
  });
});

test("a step has a comment on its effect on data, unless its kind implies it", () => {
  const pin = field("pin", { kind: "password" });
  const tables = tablesOf(service(model("books", { softDelete: true, fields: [pin] })));
  const before = { migration: "0001_initial", tables };
  const plan = planMigration(service(books(field("pin"))), before, ["0001_initial"]);
  expect(plan.migration?.changes.map(({ id, why }) => [id, why])).toEqual([
    ["drop_column:books.pin", expect.stringContaining("password hashes")],
    ["drop_column:books.deleted_at", expect.stringContaining("deleted rows become visible again")],
    ["add_column:books.pin", undefined],
  ]);
});

test("whose ids follow the id of another type, also over a column that itself refers to it", () => {
  const kind = (idType: "integer" | "uuid") => (idType === "uuid" ? "uuid" : "bigint");
  const models = (idType: "integer" | "uuid") => {
    const author = { ...toAuthors("restrict"), kind: kind(idType), nullable: false } as const;
    const foreignKey = {
      name: "notes_of_fkey",
      model: "books",
      table: "books",
      column: "author_id",
      onDelete: "restrict",
    } as const;
    const unique = [{ name: "books_author_id_key", fields: ["author_id"] }];
    return service(
      model("authors", { idType }),
      model("books", { fields: [author], uniqueKeys: unique }),
      model("notes", { fields: [field("of", { kind: kind(idType), foreignKey })] }),
    );
  };
  const before = { migration: "0001_initial", tables: tablesOf(models("uuid")) };
  const { migration } = planMigration(models("integer"), before, ["0001_initial"]);
  const references = [
    { table: "books", column: "author_id", nullable: false },
    { table: "notes", column: "of", nullable: true },
  ];
  const [change] = migration?.changes.filter(({ step }) => step.step === "set_id_type") ?? [];
  expect(change?.step).toEqual({ step: "set_id_type", table: "authors", type: "bigint", references });
  expect(change?.why).toBe(
    "every row of authors gets a new id, and books.author_id and notes.of with it; ids and links that callers have stored become invalid",
  );
  expect(migration?.down).toContainEqual({ step: "set_id_type", table: "authors", type: "uuid", references });
});

test("steps say which column holds passwords, and a required one that was dropped comes back nullable", () => {
  const tables = tablesOf(service(books(field("pin", { kind: "password", ...plain }))));
  const plan = planMigration(service(books()), { migration: "0001_initial", tables }, ["0001_initial"]);
  expect(plan.migration?.down).toEqual([
    {
      step: "add_column",
      table: "books",
      column: { name: "pin", type: "text", nullable: true, secret: true },
    },
  ]);
});

test("steps say whose a table is where its name does not", () => {
  const before = { migration: "0001_initial", tables: tablesOf(service(books(), authors)) };
  const after = service(
    model("books", { table: "library_books" }),
    model("authors"),
    model("shops", { table: "library_shops" }),
  );
  const { migration } = planMigration(after, before, ["0001_initial"]);
  expect(migration?.changes.map(({ step }) => step)).toMatchObject([
    { step: "rename_table", table: "books", to: "library_books", model: "books" },
    { step: "create_table", table: "library_shops", model: "shops" },
  ]);
  expect(migration?.down).toEqual([
    { step: "drop_table", table: "library_shops" },
    { step: "rename_table", table: "library_books", to: "books" },
  ]);
});

type Models = readonly ModelDefinition[];

// biome-ignore format: one case a line
const refused: readonly [string, Models, Models, RegExp | null][] = [
  ["a field takes the name of another one that goes", [books(name, field("title"))], [books(field("title", { renamedFrom: "name" }))],
    /^field books\.title has renamed_from "name", but the database has both/],
  ["a model takes the name of another one that goes", [books(), authors], [model("authors", { renamedFrom: "books" })],
    /^model authors has renamed_from "books", but the database has both/],
  ["a table takes the name of another one", [books(), authors], [model("books", { table: "authors" })],
    /^the table "books" of model books cannot be called "authors"/],
  ["a rename", [books(name)], [books(field("title", { renamedFrom: "name" }))], null],
  ["a renamed model", [books()], [model("novels", { renamedFrom: "books" })], null],
];

test.each(refused)("refused or not: %s", (_, before, after, reason) => {
  const reasons = refusals(tablesOf(service(...before)), service(...after));
  expect(reasons).toEqual(reason === null ? [] : [expect.stringMatching(reason)]);
});
