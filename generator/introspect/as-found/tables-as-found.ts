import { isRuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import type { CatalogColumn, CatalogSchema, CatalogTable } from "../../../vocabulary/migrations/catalog.ts";
import { internalPrefix } from "../../../vocabulary/migrations/internal-tables.ts";
import { tableNameOf } from "../../migrations/snapshot.ts";
import { cleaned, distinctNames, modelKeys } from "../model-names.ts";
import { canBeId, type FoundTable, type HeldColumn, isView, keyColumnsOf, timePlace } from "./found-table.ts";
import { type HeldType, heldTypeOf } from "./held-type.ts";

/** A table that has a model already. */
export interface KnownTable {
  readonly key: string;
  /** The column of the id; null if rows have none. */
  readonly id: string | null;
  /** The names of fields and runtime columns, by their columns. */
  readonly names: ReadonlyMap<string, string>;
  /** Names in lower case that no further field can have. */
  readonly taken: ReadonlySet<string>;
}

/** What a project has models for, by the names of tables in steps: `sales.orders`. */
export type KnownTables = ReadonlyMap<string, KnownTable>;

/** The choices of an introspection that shape the models. */
export interface FoundOptions {
  /** The role of `--open`; null if everything is closed. */
  readonly open: string | null;
  /** Whether views become models. */
  readonly views: boolean;
  /** The schema of unqualified names, which has Kirak's own tables. Models name every other schema. */
  readonly home: string;
  /** Tables that keep their names of models and fields. */
  readonly known?: KnownTables;
}

/** The tables that become models, in the order of their schemas and names. */
export function foundTables(schemas: readonly CatalogSchema[], options: FoundOptions): FoundTable[] {
  const sources = schemas.flatMap((schema, place) =>
    schema.tables
      .filter((table) => becomesModel(table, options))
      .map((table) => ({ table, schema: schema.name, isFirst: place === 0 })),
  );
  const { home, known = new Map<string, KnownTable>() } = options;
  const placed = sources.map(({ table, schema, isFirst }) => {
    const schemaName = schema === home ? null : schema;
    return {
      table,
      schema,
      schemaName,
      isFirst,
      known: known.get(tableNameOf({ schemaName, table: table.name, builtIn: false })),
    };
  });
  const isNew = (one: { readonly known: KnownTable | undefined }) => one.known === undefined;
  const keys = new Set([...known.values()].map(({ key }) => key.toLowerCase()));
  const names = modelKeys(
    placed.filter(isNew).map(({ table, schema, isFirst }) => named(table, schema, isFirst, sources)),
    (key) => !keys.has(key.toLowerCase()),
  );
  return placed.map(({ table, schema, schemaName, known: model }) =>
    foundTable(
      withEnumSchemas(table, schema, home),
      { key: model?.key ?? names.shift() ?? table.name, schema, schemaName },
      model,
    ),
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
  known: KnownTable | undefined,
): FoundTable {
  const key = keyColumnsOf(source);
  const [only, second] = key ?? [];
  const idName = known === undefined ? (second === undefined ? only : undefined) : known.id;
  const isId = (column: CatalogColumn) => column.name === idName && canBeId(column);
  const held = source.columns.flatMap((column) => {
    const type = heldTypeOf(column);
    return type === null || column.name.includes("\0") ? [] : [{ source: column, held: type }];
  });
  const placed = held.map(
    (column): Placed => ({
      ...column,
      place: isId(column.source) ? "id" : columnPlace(column.source, column.held, known),
    }),
  );
  const names = fieldNames(placed, known);
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

/** A known column is what its model says; a further one is a runtime column by its name and type. */
function columnPlace(
  source: CatalogColumn,
  held: HeldType,
  known: KnownTable | undefined,
): HeldColumn["place"] {
  const name = known?.names.get(source.name);
  if (name !== undefined) return timePlace({ ...source, name }, held) ?? "field";
  const place = timePlace(source, held);
  return place === null || known?.taken.has(place) === true ? "field" : place;
}

/** The names of columns in the model: known ones, or those of the table where models can have them. */
function fieldNames(columns: readonly Placed[], known: KnownTable | undefined): string[] {
  const isTaken = (name: string) => known?.taken.has(name.toLowerCase()) === true;
  return distinctNames(
    columns.map(({ source }) => source.name),
    (name, index) => {
      const clean = known?.names.get(name) ?? cleaned(name, `column_${index + 1}`);
      const place = columns[index]?.place;
      const isReserved = (place === "field" || place === "id") && isRuntimeColumn(clean.toLowerCase());
      return isReserved ? `${clean}_column` : clean;
    },
    (candidate, name) => known?.names.get(name) === candidate || !isTaken(candidate),
  );
}
