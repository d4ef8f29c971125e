import type { Json } from "../../../vocabulary/json.ts";
import type { CatalogSchema } from "../../../vocabulary/migrations/catalog.ts";
import { type FoundParts, fillsItself, foundModelJson } from "./found-model-json.ts";
import { foundCollections, foundRelations } from "./found-relations.ts";
import { type FoundRemark, foundRemarks } from "./found-remarks.ts";
import type { FoundTable } from "./found-table.ts";
import { type FoundOptions, foundTables } from "./tables-as-found.ts";

/** The models of a database as it is. */
export interface FoundModels {
  /** By key, as the models file has them. */
  readonly models: { readonly [key: string]: Json };
  readonly tables: readonly FoundTable[];
  readonly remarks: readonly FoundRemark[];
  /** Settings that the manifest gets if it has none; default: none. */
  readonly settings?: { readonly [key: string]: Json };
}

/** Describes the tables of some schemas as they are. */
export function adoptAsFound(schemas: readonly CatalogSchema[], options: FoundOptions): FoundModels {
  const tables = foundTables(schemas, options);
  const isLarge = (table: FoundTable) => isLargeId(schemas, table);
  const found = foundRelations(tables, isLarge);
  const parts: FoundParts = {
    relations: found.relations,
    collections: foundCollections(found.relations),
    isLarge,
    isOutOfRange: (table, { source }) =>
      schemas.some(
        ({ name, values }) =>
          name === table.schema &&
          values.some(
            ({ table: of, column, problem, rows }) =>
              of === table.source.name && column === source.name && problem === "unheld" && rows !== null,
          ),
      ),
    isFilled: (table, { source }, write) => {
      const filled = schemas.find(({ name }) => name === table.schema)?.filled ?? [];
      return filled.some(
        (one) => one.table === table.source.name && one.column === source.name && one[write] && one.always,
      );
    },
    open: options.open,
  };
  return {
    models: Object.fromEntries(tables.map((table) => [table.key, foundModelJson(table, parts)])),
    tables,
    remarks: foundRemarks(schemas, tables, found.plain, parts, options),
  };
}

/** Whether ids are too large for JSON numbers, or a caller chooses them among all bigints. */
function isLargeId(schemas: readonly CatalogSchema[], { id, schema, source }: FoundTable): boolean {
  if (id?.held.column !== "bigint") return false;
  const large = schemas.find(({ name }) => name === schema)?.largeIds ?? [];
  return !fillsItself(id) || large.includes(source.name);
}
