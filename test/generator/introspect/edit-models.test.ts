import { describe, expect, test } from "vitest";
import { editedModels } from "#generator/introspect/again/edit-models";
import { editedText } from "#generator/introspect/again/edit-text";
import { entriesOf, type JsonEntries } from "#generator/introspect/again/json-entries";
import type { TableChange } from "#generator/introspect/again/table-changes";
import type { Table } from "#generator/migrations/schema";
import type { Json } from "#vocabulary/json";
import type { Column } from "#vocabulary/migrations/migration-steps";
import { field, model, stored } from "../support/definitions.ts";

const text = `{
  "$conditions": { "cheap": { "on": "movies", "condition": "price < 3" } },
  "movies": { "table": "film",
    "fields": {
      "name": { "column": "title", "max_length": 20, "type": "string", "min_length": 2 },
      "price": {"type": "decimal", "precision": 4, "scale": 2, "column": "cost", "minimum": 1.50},
      "slug": { "type": "text", "generated": true },
      "shelf": { "type": "text" }
    },
    "unique": [["name", "shelf"]],
    "columns": { "created_at": { "column": "inserted_at", "generated": true } },
    "access": { "$all": [{ "role": "admin" }],  "fields": { "price": { "read": ["admin"] } } } },
  "notes": { "fields": { "movies": { "type": "has_many", "relationship": { "model": "lines", "foreign_key": "note_id" } } } }
}
`;

const columns: readonly Column[] = [
  { name: "inserted_at", type: "timestamptz(3)", nullable: false, default: "now" },
  { name: "title", type: "varchar(20)", nullable: true },
  { name: "cost", type: "numeric(4,2)", nullable: true },
  { name: "slug", type: "text", nullable: true },
  { name: "shelf", type: "text", nullable: true },
];
const was: Table = {
  ...{ model: "movies", name: "film", found: true, columns, indexes: [], foreignKeys: [], checks: [] },
};
const column = (name: string, parts: Partial<Column> = {}): Column => ({
  ...(columns.find((one) => one.name === name) ?? { name, type: "text", nullable: true }),
  ...parts,
});
const computed: Table = { ...was, columns: [column("slug", { default: { computed: "lower(title)" } })] };
const withoutDefault = (name: string): Column => {
  const { default: _, ...rest } = column(name);
  return rest;
};
const titles = { name: "film_title", columns: ["cost"], unique: true, live: false };

const movies = model("movies", {
  table: "film",
  columns: {
    ...stored(false, "integer").columns,
    created_at: {
      ...{ name: "inserted_at", described: true, dbType: null, nullable: false },
      ...{ generated: true, outOfRange: null },
    },
  },
  fields: [["name", "title"], ["price", "cost"], ["slug"], ["shelf"]].map(([name = "", of = name]) =>
    field(name, { column: of }),
  ),
});

/** The text after a change; `fresh` has the fields and the runtime columns of an introspection from the start. */
function edited(
  before: string,
  change: Partial<TableChange>,
  fresh: { readonly fields?: JsonEntries; readonly columns?: Json },
): string {
  const file = entriesOf(JSON.parse(before));
  const none = { gone: [], come: [] };
  const whole: TableChange = {
    ...{ was, now: was, added: [], dropped: [], retyped: [], renulled: [], redefaulted: [], unheld: [] },
    ...{ indexes: none, foreignKeys: none, ...change },
  };
  const changed = [{ change: whole, model: movies, names: new Map(), fresh: { fields: {}, ...fresh } }];
  const changes = { changed, dropped: ["lines"], added: {}, collections: new Map() };
  return editedText(before, file, editedModels(file, changes, true));
}

const plain = (json: string) => json.replaceAll(/\s+/g, "");
/** The model `lines` is gone. */
const collection =
  '"movies": { "type": "has_many", "relationship": { "model": "lines", "foreign_key": "note_id" } }';

describe.each(["fields", "schema"])("%s", (section) => {
  // biome-ignore format: one case a line
  test.each<[string, Partial<TableChange>, Parameters<typeof edited>[2], (is: string) => string]>([
    ["no change of the table", {}, {}, (is) => is],
    ["a new column", { added: [column("year")] }, { fields: { year: { type: "text" } } }, (is) => is.replace('"shelf": { "type": "text" }', '"shelf": { "type": "text" }, "year": { "type": "text" }')],
    ["a dropped column", { dropped: [column("shelf")] }, {}, (is) => is.replace(',\n      "shelf": { "type": "text" }', "").replace('\n    "unique": [["name", "shelf"]],', "")],
    ["another length", { retyped: [column("title", { type: "varchar(40)" })] }, { fields: { name: { type: "string", max_length: 40 } } }, (is) => is.replace('"max_length": 20', '"max_length": 40')],
    ["a new unique key", { indexes: { gone: [], come: [titles] } }, { fields: { price: { column: "cost", unique: true } } }, (is) => is.replace("1.50", '1.50, "unique": true')],
    ["another default of a field that a person has closed", { redefaulted: [column("slug", { default: { literal: "x" } })] }, { fields: { slug: { type: "text", default: "x" } } }, (is) => is],
    ["a column that is computed no longer", { was: computed, redefaulted: [column("slug")] }, { fields: { slug: { type: "text" } } }, (is) => is.replace('"text", "generated": true', '"text"')],
    ["another default of a time column", { redefaulted: [column("inserted_at", { default: "unmanaged" })] }, { columns: { created_at: "inserted_at" } }, (is) => is],
    ["a time column without its default", { redefaulted: [withoutDefault("inserted_at")] }, { columns: { created_at: "inserted_at" } }, (is) => is.replace('{ "column": "inserted_at", "generated": true }', '"inserted_at"')],
  ])("%s: all else stays, as it is spelled", (_, change, fresh, expected) => {
    const before = text.replaceAll('"fields": {\n', `"${section}": {\n`).replace('"notes": { "fields"', `"notes": { "${section}"`);
    expect(plain(edited(before, change, fresh))).toBe(plain(expected(before).replace(collection, "")));
  });
});
