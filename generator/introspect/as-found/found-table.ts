import type { CatalogColumn, CatalogIndex, CatalogTable } from "../../../vocabulary/migrations/catalog.ts";
import { type HeldType, heldTypeOf } from "./held-type.ts";

/** A column of a table that its model has. */
export interface HeldColumn {
  readonly source: CatalogColumn;
  readonly held: HeldType;
  /** What it is: `id`, a time that the server sets, or a field. */
  readonly place: "id" | "created_at" | "updated_at" | "field";
  /** Its name in the model. */
  readonly name: string;
}

/** A table or view that becomes a model. */
export interface FoundTable {
  /** The key of the model. */
  readonly key: string;
  readonly source: CatalogTable;
  readonly schema: string;
  /** The key `schema_name`; null for the first schema of the search path. */
  readonly schemaName: string | null;
  readonly columns: readonly HeldColumn[];
  /** Columns that no field can hold. */
  readonly left: readonly CatalogColumn[];
  readonly id: HeldColumn | null;
  /** The columns of a key of rows without an id, by their physical names. */
  readonly rowKey: readonly string[] | null;
  readonly view: boolean;
}

export function isView({ kind }: CatalogTable): boolean {
  return kind === "view" || kind === "materialized view";
}

/** Whether callers can only read the rows. */
export function isReadOnly({ id, view }: FoundTable): boolean {
  return view || id === null;
}

/** The columns of the key of a table: of its primary key, or of a unique index over required columns. */
export function keyColumnsOf(table: CatalogTable): readonly string[] | null {
  const primary = table.constraints.find(({ kind }) => kind === "primary_key");
  if (primary !== undefined) return primary.columns;
  const isRequired = (name: string) =>
    isView(table) || table.columns.some((column) => column.name === name && !column.nullable);
  const keys = table.indexes
    .filter((index) => isPlainUnique(table, index))
    .flatMap(({ columns }) => (columns?.every(isRequired) ? [columns] : []));
  return keys.toSorted((a, b) => a.length - b.length)[0] ?? null;
}

/** Whether an index makes its columns unique in all rows, at once. */
export function isPlainUnique({ constraints }: CatalogTable, index: CatalogIndex): boolean {
  const isDeferrable = constraints.some(
    ({ name, definition }) => name === index.name && /\bDEFERRABLE\b/.test(definition),
  );
  return index.unique && index.valid && index.columns !== null && index.predicate === null && !isDeferrable;
}

const idTypes = ["integer", "bigint", "uuid"];
const textIds = ["varchar", "char", "text", "citext"];

/** Whether a column can be the id of a model. */
export function canBeId(column: CatalogColumn): boolean {
  const held = heldTypeOf(column);
  if (held === null || column.generated) return false;
  return idTypes.includes(held.type) || isTextId(held);
}

/** Whether a type is that of an id that is a text. */
export function isTextId({ column, options }: HeldType): boolean {
  return options["enum"] === undefined && textIds.includes(column.replace(/\(.*/, ""));
}

/** The runtime column that a column is, by its name and type. */
export function timePlace({ name }: CatalogColumn, { type }: HeldType): "created_at" | "updated_at" | null {
  return type === "datetime" && (name === "created_at" || name === "updated_at") ? name : null;
}
