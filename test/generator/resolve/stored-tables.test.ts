import { expect, test } from "vitest";
import type { ModelDefinition } from "#generator/definition/definition";
import { keyField } from "#generator/definition/stored";
import { loadFiles } from "../load/load-text.ts";
import { stored } from "../support/definitions.ts";

const open = { fetch: [{ role: "*" }] };

async function resolved(models: Record<string, object>): Promise<Map<string, ModelDefinition>> {
  const withAccess = Object.fromEntries(
    Object.entries(models).map(([key, model]) => [key, { access: open, fields: {}, ...model }]),
  );
  const { definition, diagnostics } = await loadFiles({ "models.json": withAccess });
  expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  return new Map(definition?.models.map((model) => [model.key, model]));
}

async function one(model: object): Promise<ModelDefinition> {
  const found = (await resolved({ books: model })).get("books");
  if (found === undefined) throw new Error("the model is missing");
  return found;
}

async function fieldOf(field: object) {
  return (await one({ fields: { value: field } })).fields[0];
}

test("without keys a table is as Kirak makes it", async () => {
  expect(await one({})).toMatchObject(stored(false, "integer"));
  expect(await one({ soft_delete: true, id_type: "uuid" })).toMatchObject(stored(true, "uuid"));
  expect(await fieldOf({ type: "string" })).toMatchObject({
    ...{ column: "value", dbType: null, generated: false, sqlDefault: false, outOfRange: null },
  });
});

test("columns, schema and messages of triggers", async () => {
  const model = await one({
    ...{ schema_name: "sales", trigger_messages: true, soft_delete: true },
    columns: {
      id: "customer_id",
      created_at: { column: "inserted_at", nullable: true, generated: true },
      updated_at: null,
      deleted_at: { column: "removed_at", db_type: "timestamp(6)" },
    },
  });
  expect(model).toMatchObject({ schemaName: "sales", triggerMessages: true, readOnly: false, view: false });
  expect(model.columns).toEqual({
    id: {
      name: "customer_id",
      described: true,
      dbType: null,
      nullable: false,
      generated: true,
      outOfRange: null,
    },
    created_at: {
      name: "inserted_at",
      described: true,
      dbType: null,
      nullable: true,
      generated: true,
      outOfRange: null,
    },
    updated_at: null,
    deleted_at: {
      name: "removed_at",
      described: true,
      dbType: "timestamp(6)",
      nullable: true,
      generated: false,
      outOfRange: null,
    },
  });
});

// biome-ignore format: one case a line
test.each<[string, object, boolean, boolean | null]>([
  ["a number that the database counts", { columns: { id: "film_id" } }, false, true],
  ["a number that the caller sends", { columns: { id: { column: "film_id", generated: false } } }, true, false],
  ["an integer column", { columns: { id: { db_type: "integer" } } }, false, true],
  ["a bigint that the caller sends", { id_type: "bigint", columns: { id: { generated: false } } }, true, false],
  ["a bigint", { id_type: "bigint" }, false, true],
  ["a text", { id_type: "string" }, true, false],
  ["a UUID", { id_type: "uuid" }, false, true],
  ["a text of a read-only table", { id_type: "string", read_only: true }, false, false],
  ["no id", { read_only: true, columns: { id: null } }, false, null],
])("the id is %s", async (_, model, idSent, generated) => {
  const { columns, ...rest } = await one(model);
  expect(rest.idSent).toBe(idSent);
  expect(columns.id?.generated ?? null).toBe(generated);
});

test("the kinds of ids, in references", async () => {
  const models = await resolved({
    ...{
      numbers: { id_type: "bigint" },
      codes: { id_type: "string", columns: { id: { db_type: "char(2)" } } },
    },
    small: { columns: { id: { column: "id", db_type: "integer" } } },
    rows: {
      fields: {
        number_id: { type: "belongs_to", relationship: { model: "numbers" } },
        code: { type: "belongs_to", relationship: { model: "codes" } },
        small_id: { type: "belongs_to", relationship: { model: "small" } },
        wide_id: { type: "belongs_to", db_type: "bigint", relationship: { model: "small" } },
      },
    },
  });
  const fields = models.get("rows")?.fields ?? [];
  expect(fields.map(({ kind, dbType, maxLength, maximum }) => [kind, dbType, maxLength, maximum])).toEqual([
    ["int64", null, null, null],
    ["string", "char(2)", 2, null],
    ["bigint", "integer", null, 2_147_483_647],
    ["bigint", null, null, null],
  ]);
});

test("a foreign key has the column of the id", async () => {
  const models = await resolved({
    people: {},
    authors: {
      columns: { id: "person_id" },
      fields: {
        person: {
          type: "belongs_to",
          column: "person_id",
          required: true,
          relationship: { model: "people" },
        },
      },
    },
  });
  const authors = models.get("authors");
  expect(authors).toMatchObject({ idSent: false, columns: { id: { name: "person_id", generated: false } } });
  expect(authors && keyField(authors)?.name).toBe("person");
});

test("rows without an id have an order, and no columns in other parts of the model", async () => {
  const model = await one({
    columns: { id: null, created_at: null, updated_at: null },
    ...{ key: ["order_no", "line"], view: true },
    fields: { order_no: { type: "integer" }, line: { type: "integer" } },
  });
  expect(model).toMatchObject({ orderKey: ["order_no", "line"], readOnly: true, view: true });
});

// biome-ignore format: one case a line
test.each<[string, object, object]>([
  ["a type that is the field's own", { type: "string", max_length: 40, db_type: "varchar(40)" }, { dbType: null, maxLength: 40 }],
  ["the length of the type", { type: "string", db_type: "varchar( 400 )" }, { dbType: null, maxLength: 400 }],
  ["a length below that of the type", { type: "text", max_length: 5, db_type: "char(20)" }, { dbType: "char(20)", maxLength: 5 }],
  ["a type without a length", { type: "string", db_type: "text" }, { dbType: "text", maxLength: 255 }],
  ["the range of the type", { type: "integer", db_type: "smallint", maximum: 9 }, { minimum: -32_768, maximum: 9 }],
  ["the elements of a list", { type: "float[]", db_type: "real[]" }, { dbType: "real[]", maximum: 3.4028235e38 }],
  ["the digits of the type", { type: "decimal", db_type: "numeric(8,2)" }, { decimal: { precision: 8, scale: 2 } }],
  ["no digits", { type: "decimal", db_type: "numeric" }, { dbType: "numeric", decimal: null }],
  ["an enum type", { type: "string", enum: ["sad", "ok"], db_type: "mood" }, { dbType: "mood", enum: ["sad", "ok"] }],
  ["another column", { type: "string", column: "Full Name" }, { name: "value", column: "Full Name" }],
  ["values out of range", { type: "date", out_of_range: "null" }, { outOfRange: "null" }],
  ["an expression as default", { type: "integer", required: true, default: { sql: true } }, { sqlDefault: true, required: false, nullable: false }],
  ["a default that is JSON", { type: "json", default: { sql: false } }, { sqlDefault: false, default: { sql: false } }],
  ["a generated column", { type: "integer", required: true, generated: true }, { generated: true, required: false }],
  ["a tsvector", { type: "text", required: true, db_type: "tsvector" }, { generated: true, required: false }],
])("a field: %s", async (_, field, expected) => {
  expect(await fieldOf(field)).toMatchObject(expected);
});

test("no role writes a field that the database fills in", async () => {
  const { access } = await one({ fields: { total: { type: "integer", generated: true } } });
  expect(access.fields).toEqual([{ field: "total", read: null, write: [] }]);
});

const rolesOf = ({ access }: ModelDefinition) => ({
  ...Object.fromEntries(
    Object.entries(access.operations).map(([name, rules]) => [name, rules.map(({ role }) => role).join()]),
  ),
  insert: access.upsert.insert.map(({ role }) => role).join(),
  upsert: access.upsert.update.map(({ role }) => role).join(),
});
const $all = [{ role: "a" }];
const all = {
  ...{
    fetch: "a",
    search: "a",
    count: "a",
    exists: "a",
    create: "a",
    update: "a",
    delete: "a",
    destroy: "a",
  },
  ...{ restore: "", insert: "a", upsert: "a" },
};
const reads = { ...all, create: "", update: "", delete: "", destroy: "", insert: "", upsert: "" };

// biome-ignore format: one case a line
test.each<[string, object, object]>([
  ["every operation", { access: { $all } }, all],
  ["restore", { soft_delete: true, access: { $all } }, { ...all, restore: "a" }],
  ["not those with an entry, nor those that follow them", { access: { $all, fetch: [{ role: "b" }], create: [], delete: [{ role: "c" }] } },
    { ...all, fetch: "b", count: "b", exists: "b", create: "", insert: "", delete: "c" }],
  ["not a search as fetch", { access: { $all, fetch: [{ role: "b" }], search: "as fetch" } }, { ...all, fetch: "b", search: "b", count: "b", exists: "b" }],
  ["search as the fetch that it opens", { access: { $all, search: "as fetch" } }, all],
  ["an upsert of its own", { access: { $all, upsert: [] } }, { ...all, insert: "", upsert: "" }],
  ["the reads of a read-only model", { read_only: true, access: { $all } }, reads],
])("$all opens %s", async (_, model, expected) => {
  expect(rolesOf(await one(model))).toEqual(expected);
});

test("the schema of Kirak's own tables", async () => {
  const { definition } = await loadFiles({
    "manifest.json": { service_schema: "kirak" },
    "models.json": { app_users: { table: "users", access: open, fields: {} } },
  });
  expect(definition).toMatchObject({ serviceSchema: "kirak" });
});
