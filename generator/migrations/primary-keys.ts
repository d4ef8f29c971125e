import { isDeepStrictEqual } from "node:util";
import { consequences } from "./consequences.ts";
import { change } from "./planned-change.ts";
import { type Change, keyOf, type Table } from "./schema.ts";
import type { Pair } from "./table-pairs.ts";

/** The columns of a primary key that goes while its columns may stay: in one list, or none. */
export function keyGone({ old, now }: Pick<Pair, "old" | "now">): (readonly string[])[] {
  const columns = keyOf(old);
  const partLost = old.primaryKey !== undefined && !columns.every((column) => holds(old, column));
  return partLost || !isDeepStrictEqual(columns, keyOf(now)) ? [columns] : [];
}

/** Primary keys that go. That of `id` goes with its column. */
export function droppedPrimaryKeys(pair: Pair): Change[] {
  const { was, old } = pair;
  if (keyGone(pair).length === 0 || (old.primaryKey === undefined && !holds(old, "id"))) return [];
  const name = old.primaryKey?.name ?? usualName(was);
  return [change({ step: "drop_primary_key", table: was.name, name }, "widening")];
}

/** Primary keys that come. That of `id` comes with its column. */
export function addedPrimaryKeys(pair: Pair): Change[] {
  const { old, now } = pair;
  if (keyGone(pair).length === 0 || (now.primaryKey === undefined && !holds(old, "id"))) return [];
  const primaryKey = now.primaryKey ?? { name: usualName(now), columns: ["id"] };
  const step = { step: "add_primary_key", table: now.name, primaryKey } as const;
  return [change(step, "destructive", consequences.newKey(primaryKey.columns))];
}

function usualName({ name }: Table): string {
  return `${name}_pkey`;
}

function holds(table: Table, column: string): boolean {
  return table.columns.some(({ name }) => name === column);
}
