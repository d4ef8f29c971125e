import { isRuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import type { CatalogColumn, CatalogSchema, CatalogTable } from "../../../vocabulary/migrations/catalog.ts";
import { internalPrefix } from "../../../vocabulary/migrations/internal-tables.ts";
import { cleaned, distinctNames, modelKeys } from "../model-names.ts";
import { canBeId, type FoundTable, type HeldColumn, isView, keyColumnsOf, timePlace } from "./found-table.ts";
import { type HeldType, heldTypeOf } from "./held-type.ts";

/** The choices of an introspection that shape the models. */
export interface FoundOptions {
  /** The role of `--open`; null if everything is closed. */
  readonly open: string | null;
  /** Whether views become models. */
  readonly views: boolean;
  /** The schema of unqualified names, which has Kirak's own tables. Models name every other schema. */
  readonly home: string;
}

/** The tables that become models, in the order of their schemas and names. */
export function foundTables(schemas: readonly CatalogSchema[], options: FoundOptions): FoundTable[] {
  const sources = schemas.flatMap((schema, place) =>
    schema.tables
      .filter((table) => becomesModel(table, options))
      .map((table) => ({ table, schema: schema.name, isFirst: place === 0 })),
  );
  const names = modelKeys(
    sources.map(({ table, schema, isFirst }) => named(table, schema, isFirst, sources)),
  );
  const { home } = options;
  return sources.map(({ table, schema }, index) =>
    foundTable(withEnumSchemas(table, schema, home), {
      key: names[index] ?? table.name,
      schema,
      schemaName: schema === home ? null : schema,
    }),
  );
}

/** A table whose enum types have their schemas in front, unless it is the first one of the search path. */
function withEnumSchemas(table: CatalogTable, schema: string, home: string): CatalogTable {
  const typeName = (type: string) => {
    const qualified = type.includes(".") ? type : `${schema}.${type}`;
    return qualified.startsWith(`${home}.`) ? qualified.slice(home.length + 1) : qualified;
  };
  const columns = table.columns.map((column) =>
    column.enumType === null ? column : { ...column, enumType: typeName(column.enumType) },
  );
  return { ...table, columns };
}

/** A table with the name of one in an earlier schema has its schema in front. */
function named(
  table: CatalogTable,
  schema: string,
  isFirst: boolean,
  all: readonly { readonly table: CatalogTable; readonly schema: string }[],
): string {
  const first = all.find((other) => other.table.name === table.name);
  return isFirst || first?.schema === schema ? table.name : `${schema}_${table.name}`;
}

function becomesModel(table: CatalogTable, { views }: FoundOptions): boolean {
  if (table.kind === "partition" || table.columns.length === 0 || table.name.includes(".")) return false;
  if (isView(table)) return views;
  return !table.name.startsWith(internalPrefix);
}

function foundTable(
  source: CatalogTable,
  place: Pick<FoundTable, "key" | "schema" | "schemaName">,
): FoundTable {
  const key = keyColumnsOf(source);
  const [only, second] = key ?? [];
  const idSource = source.columns.find((column) => column.name === only && second === undefined);
  const isId = (column: CatalogColumn) => column === idSource && canBeId(column);
  const held = source.columns.flatMap((column) => {
    const type = heldTypeOf(column);
    return type === null || column.name.includes("\0") ? [] : [{ source: column, held: type }];
  });
  const placed = held.map(
    (column): Placed => ({
      ...column,
      place: isId(column.source) ? "id" : (timePlace(column.source, column.held) ?? "field"),
    }),
  );
  const names = fieldNames(placed);
  const columns = placed.map((column, index): HeldColumn => ({ ...column, name: names[index] ?? "" }));
  const id = columns.find((column) => column.place === "id") ?? null;
  const isHeld = (name: string) => columns.some((column) => column.source.name === name);
  return {
    ...place,
    source,
    columns,
    left: source.columns.filter(({ name }) => !isHeld(name)),
    id,
    rowKey: id === null && key?.every(isHeld) === true ? key : null,
    view: isView(source),
  };
}

interface Placed {
  readonly source: CatalogColumn;
  readonly held: HeldType;
  readonly place: HeldColumn["place"];
}

/** The names of columns in the model: those of the table, where models can have them. */
function fieldNames(columns: readonly Placed[]): string[] {
  return distinctNames(
    columns.map(({ source }) => source.name),
    (name, index) => {
      const clean = cleaned(name, `column_${index + 1}`);
      const place = columns[index]?.place;
      const isTaken = (place === "field" || place === "id") && isRuntimeColumn(clean.toLowerCase());
      return isTaken ? `${clean}_column` : clean;
    },
  );
}
