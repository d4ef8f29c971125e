import { isDeepStrictEqual } from "node:util";
import type { Column, Step } from "../../vocabulary/migrations/migration-steps.ts";
import { lossOf } from "./conversion.ts";
import { keyOf, type Table } from "./schema.ts";

/** A table whose ids change their type, and the columns that refer to them. All names are the new ones. */
export type IdChange = Omit<Extract<Step, { readonly step: "set_id_type" }>, "step">;

/** A table before and after, both under its new names. */
interface Side {
  readonly old: Table;
  readonly now: Table;
}

/**
 * The ids that cannot be converted to the new type, with all columns that hold them through foreign keys, also indirectly: a
 * column can refer to a unique column that refers to the id.
 */
export function idChanges(sides: readonly Side[]): IdChange[] {
  const links = sides.flatMap(linksOf);
  return sides.flatMap(({ old, now }): IdChange[] => {
    const [former, next] = [idOf(old), idOf(now)];
    if (former === undefined || next === undefined || lossOf(former, next) === null) return [];
    if (![old, now].every((table) => isDeepStrictEqual(keyOf(table), ["id"]))) return [];
    const type = next.type === "uuid" ? "uuid" : "bigint";
    return [{ table: now.name, type, references: followers(now.name, links) }];
  });
}

/** The new column that replaces an id, or a reference to it, after the type has changed. */
export function retypedColumn(column: Column, type: IdChange["type"]): Column {
  const { name, nullable } = column;
  if (name !== "id") return { name, type, nullable };
  return { name, type, nullable, default: type === "uuid" ? "random_uuid" : "identity" };
}

/** The new id type of each affected column, by `columnKey`. */
export function retypedColumns(changes: readonly IdChange[]): Map<string, IdChange["type"]> {
  return new Map(
    changes.flatMap(({ table, type, references }) =>
      [{ table, column: "id" }, ...references].map((place) => [columnKey(place.table, place.column), type]),
    ),
  );
}

/** A column of a table as the key of a map. */
export function columnKey(table: string, column: string): string {
  return JSON.stringify([table, column]);
}

function idOf(table: Table): Column | undefined {
  return table.columns.find(({ name }) => name === "id");
}

interface Link {
  readonly table: string;
  readonly column: string;
  readonly nullable: boolean;
  readonly target: string;
}

/** The foreign keys that stay the same: same column, same target. */
function linksOf({ old, now }: Side): Link[] {
  return now.foreignKeys.flatMap(({ column, references }) => {
    const former = old.columns.find(({ name }) => name === column);
    const target = columnKey(references.table, references.column);
    const stays = old.foreignKeys.some(
      (key) => key.column === column && columnKey(key.references.table, key.references.column) === target,
    );
    if (former === undefined || !stays) return [];
    return [{ table: now.name, column, nullable: former.nullable, target }];
  });
}

function followers(table: string, links: readonly Link[]): IdChange["references"] {
  const found = new Map<string, Link>();
  let targets = new Set([columnKey(table, "id")]);
  while (targets.size > 0) {
    const next = new Set<string>();
    for (const link of links) {
      const place = columnKey(link.table, link.column);
      if (!targets.has(link.target) || found.has(place)) continue;
      found.set(place, link);
      next.add(place);
    }
    targets = next;
  }
  return [...found.values()].map(({ table: holder, column, nullable }) => ({
    table: holder,
    column,
    nullable,
  }));
}
