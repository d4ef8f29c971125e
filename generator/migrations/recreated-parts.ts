import { isDeepStrictEqual } from "node:util";
import {
  type Check,
  columnsOfCheck,
  type ForeignKey,
  type Index,
} from "../../vocabulary/migrations/migration-steps.ts";
import type { ComparedTable } from "./compare-tables.ts";
import { consequences } from "./consequences.ts";
import { columnKey, type IdChange, retypedColumns } from "./id-types.ts";
import { plannedChange } from "./planned-change.ts";
import { keyOf, type PlannedChange, type Table } from "./schema.ts";

/** The columns of a primary key that is dropped, as a list of one key; empty if the key stays. */
export function removedKeys({ old, now }: Pick<ComparedTable, "old" | "now">): (readonly string[])[] {
  const columns = keyOf(old);
  const partLost = old.primaryKey !== undefined && !columns.every((column) => holds(old, column));
  return partLost || !isDeepStrictEqual(columns, keyOf(now)) ? [columns] : [];
}

/** Primary keys to drop. The key of `id` is dropped with its column. */
export function droppedPrimaryKeys(pair: ComparedTable): PlannedChange[] {
  const { was, old } = pair;
  if (removedKeys(pair).length === 0 || (old.primaryKey === undefined && !holds(old, "id"))) return [];
  const name = old.primaryKey?.name ?? usualName(was);
  return [plannedChange({ step: "drop_primary_key", table: was.name, name }, "widening")];
}

/** Primary keys to add. The key of `id` is added with its column. */
export function addedPrimaryKeys(pair: ComparedTable): PlannedChange[] {
  const { old, now } = pair;
  if (removedKeys(pair).length === 0 || (now.primaryKey === undefined && !holds(old, "id"))) return [];
  const primaryKey = now.primaryKey ?? { name: usualName(now), columns: ["id"] };
  const step = { step: "add_primary_key", table: now.name, primaryKey } as const;
  return [plannedChange(step, "destructive", consequences.newKey(primaryKey.columns))];
}

function usualName({ name }: Table): string {
  return `${name}_pkey`;
}

function holds(table: Table, column: string): boolean {
  return table.columns.some(({ name }) => name === column);
}

/** Whether an unchanged part must be dropped and created again, because PostgreSQL ties it to a column or key that changes. */
export interface RecreatedParts {
  readonly index: (index: Index, table: Table) => boolean;
  readonly check: (check: Check, table: Table) => boolean;
  readonly foreignKey: (key: ForeignKey, table: Table) => boolean;
}

/** Finds the indexes and constraints to create again. All names are the new ones. */
export function recreatedParts(pairs: readonly ComparedTable[], ids: readonly IdChange[]): RecreatedParts {
  const lost = new Set(retypedColumns(ids).keys());
  const retyped = new Set<string>();
  for (const { old, now } of pairs) {
    const types = new Map(old.columns.map(({ name, type }) => [name, type]));
    for (const { name, type } of now.columns) {
      if (!types.has(name)) lost.add(columnKey(now.name, name));
      else if (types.get(name) !== type) retyped.add(columnKey(now.name, name));
    }
  }
  const unkeyed = new Set(pairs.flatMap(lostKeys));
  const moves = (place: string) => lost.has(place) || retyped.has(place);
  return {
    index: ({ columns }, { name }) => columns.some((column) => lost.has(columnKey(name, column))),
    check: (check, { name }) => columnsOfCheck(check).some((column) => moves(columnKey(name, column))),
    foreignKey({ column, references }, { name }) {
      const target = columnKey(references.table, references.column);
      return moves(columnKey(name, column)) || moves(target) || unkeyed.has(target);
    },
  };
}

/** Columns of unique and primary keys that are dropped. Foreign keys can depend on these keys. */
function lostKeys(pair: ComparedTable): string[] {
  const { old, now } = pair;
  const gone = old.indexes.filter((key) => !now.indexes.some((other) => isDeepStrictEqual(key, other)));
  const keys = [...gone.filter(({ unique }) => unique).map(({ columns }) => columns), ...removedKeys(pair)];
  return keys.flatMap((columns) => columns.slice(0, 1).map((column) => columnKey(now.name, column)));
}
