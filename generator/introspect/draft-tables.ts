import type { CatalogColumn, CatalogConstraint, CatalogTable } from "../../vocabulary/migrations/catalog.ts";
import { fieldTypeOf } from "./column-types.ts";
import type { Draft, DraftColumn } from "./draft.ts";
import { fieldNames, type ModelName } from "./model-names.ts";
import type { Remark } from "./remarks.ts";

/** Sorts the columns of a table. `draft` is null if the table cannot become a model. */
export function draftTable(
  source: CatalogTable,
  name: ModelName,
): { readonly draft: Draft | null; readonly remarks: readonly Remark[] } {
  const { columns, left } = sortedColumns(source);
  const primaryKey = source.constraints.find(({ kind }) => kind === "primary_key") ?? null;
  const obstacle = precheck(
    source,
    primaryKey,
    columns.map(({ source: { name } }) => name),
  );
  if (obstacle !== null)
    return {
      draft: null,
      remarks: [{ table: source.name, what: "the whole table", outcome: obstacle, loud: true }],
    };
  const id = columns.find(({ place }) => place === "id") ?? null;
  const softDelete = columns.some(({ place, name }) => place === "runtime" && name === "deleted_at");
  const idType = id?.type.kind === "uuid" ? "uuid" : "integer";
  const draft = { ...name, source, columns, primaryKey, keepsIds: id !== null, idType, softDelete } as const;
  return { draft, remarks: left.map((column) => columnRemark(source, column)) };
}

function sortedColumns(table: CatalogTable): { columns: DraftColumn[]; left: CatalogColumn[] } {
  const id = idColumn(table);
  const left: CatalogColumn[] = [];
  const columns = table.columns.flatMap((source): DraftColumn[] => {
    const type = fieldTypeOf(source);
    if (type === null || (source !== id && fillsItself(source))) {
      left.push(source);
      return [];
    }
    if (source === id) return [{ source, type, place: "id", name: "id" }];
    const place = isRuntime(source, type.kind) ? "runtime" : "field";
    return [{ source, type, place, name: source.name }];
  });
  const fields = columns.filter(({ place }) => place === "field");
  const names = fieldNames(fields.map(({ name }) => name));
  const named = new Map(fields.map((field, index) => [field, names[index] ?? field.name]));
  return { columns: columns.map((column) => ({ ...column, name: named.get(column) ?? column.name })), left };
}

/** The column that becomes `id`: a primary key of one column, with whole numbers or UUIDs, that is not a foreign key. */
function idColumn({ columns, constraints }: CatalogTable): CatalogColumn | null {
  const [name, ...more] = constraints.find(({ kind }) => kind === "primary_key")?.columns ?? [];
  const column = columns.find((candidate) => candidate.name === name);
  if (column === undefined || more.length > 0 || column.generated) return null;
  const refers = constraints.some(
    ({ kind, columns: own }) => kind === "foreign_key" && own.includes(column.name),
  );
  const whole = ["smallint", "integer", "bigint", "uuid"].includes(column.baseType ?? column.type);
  return whole && !refers ? column : null;
}

/** Columns that the database numbers or computes; no request can set them. */
function fillsItself({ generated, identity, sequence }: CatalogColumn): boolean {
  return generated || identity !== null || sequence;
}

function isRuntime({ name, nullable, default: value }: CatalogColumn, kind: string): boolean {
  if (kind !== "datetime" && kind !== "date") return false;
  if (name === "deleted_at") return nullable && value === null;
  return name === "created_at" || name === "updated_at";
}

const untouched = "it stays the same, without a model";

function precheck(
  table: CatalogTable,
  key: CatalogConstraint | null,
  kept: readonly string[],
): string | null {
  const missing = (name: string) =>
    table.columns.some((column) => column.name === name) && !kept.includes(name);
  if (table.columns.length === 0) return `it has no columns: ${untouched}`;
  const lost = key?.columns.find(missing);
  if (lost !== undefined) return `no field can hold ${lost} of its primary key: ${untouched}`;
  const [taken] = ["id", "created_at", "updated_at"].filter(missing);
  if (taken !== undefined)
    return `its column ${taken} conflicts with a column that each model has: ${untouched}`;
  if (key !== null || !kept.includes("id")) return null;
  return `its column id is not a primary key: ${untouched}; make it one and introspect again`;
}

function columnRemark({ name: table, triggers }: CatalogTable, column: CatalogColumn): Remark {
  const what = `column ${column.name} (${column.type})`;
  if (fillsItself(column))
    return { table, what, outcome: "the database fills it: it stays the same, without a field" };
  const outcome = `no field can hold it${whyNot(column)}: it stays the same, and responses do not contain it`;
  if (column.nullable || column.default !== null) return { table, what, outcome };
  const rescue = triggers.length === 0 ? "" : `, unless a trigger fills it (${triggers.join(", ")})`;
  return {
    table,
    what,
    outcome: `${outcome}. It is NOT NULL without a default: EVERY CREATE FAILS until it has a default or allows NULL${rescue}`,
    loud: true,
  };
}

/** The reason for types that are similar to those of fields. */
function whyNot({ type, baseType, dimensions }: CatalogColumn): string {
  const held = baseType ?? type;
  if (/^time\b.* with time zone/.test(held)) return ", because times of day have no time zone";
  if (dimensions > 1) return ", because lists cannot contain lists";
  return held.endsWith("[]") ? ", because lists cannot have such elements" : "";
}
