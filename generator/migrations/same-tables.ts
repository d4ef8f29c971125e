import { isDeepStrictEqual } from "node:util";
import type { Column, Table } from "./schema.ts";

/** Whether two lists of tables are the same to the database: their order and the keys of models do not count. */
export function sameTables(some: readonly Table[], others: readonly Table[]): boolean {
  return isDeepStrictEqual(comparable(some), comparable(others));
}

function comparable(tables: readonly Table[]): ReadonlyMap<string, unknown> {
  return byName(
    tables.map(({ name, primaryKey, columns, indexes, foreignKeys, checks }) => ({
      name,
      primaryKey,
      columns: byName(columns.map(withoutSecret)),
      indexes: byName(indexes),
      foreignKeys: byName(foreignKeys),
      checks: byName(checks.map((check) => ({ ...check, oneOf: new Set(check.oneOf) }))),
    })),
  );
}

function withoutSecret({ secret: _, ...column }: Column): Omit<Column, "secret"> {
  return column;
}

function byName<Part extends { readonly name: string }>(parts: readonly Part[]): Map<string, Part> {
  return new Map(parts.map((part) => [part.name, part]));
}
