import { isDeepStrictEqual } from "node:util";
import type { Check, Column } from "../../vocabulary/migration-steps.ts";
import type { Table } from "./schema.ts";
import { keyOf } from "./schema.ts";

/** Whether two lists of tables are the same to the database: their order and the keys of models do not count. */
export function sameTables(some: readonly Table[], others: readonly Table[]): boolean {
  return isDeepStrictEqual(comparable(some), comparable(others));
}

function comparable(tables: readonly Table[]): ReadonlyMap<string, unknown> {
  return byName(
    tables.map((table) => ({
      name: table.name,
      // A baseline may say what others leave out: that `id` is the key.
      primaryKey: isDeepStrictEqual(keyOf(table), ["id"]) ? undefined : table.primaryKey,
      columns: byName(table.columns.map(withoutSecret)),
      indexes: byName(table.indexes),
      foreignKeys: byName(table.foreignKeys),
      checks: byName(table.checks.map(withoutOrder)),
    })),
  );
}

function withoutSecret({ secret: _, ...column }: Column): Omit<Column, "secret"> {
  return column;
}

/** The values of a check stand in no order. */
function withoutOrder(check: Check) {
  return "oneOf" in check ? { ...check, oneOf: new Set(check.oneOf) } : check;
}

function byName<Part extends { readonly name: string }>(parts: readonly Part[]): Map<string, Part> {
  return new Map(parts.map((part) => [part.name, part]));
}
