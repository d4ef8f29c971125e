import { isDeepStrictEqual } from "node:util";
import {
  type Check,
  columnsOfCheck,
  type ForeignKey,
  type Index,
} from "../../vocabulary/migrations/migration-steps.ts";
import { followedTypes, type IdChange, placeOf } from "./id-types.ts";
import { keyGone } from "./primary-keys.ts";
import type { Table } from "./schema.ts";
import type { Pair } from "./table-pairs.ts";

/** What must be dropped and made again although it stays the same: PostgreSQL ties it to something that changes. */
export interface Attachments {
  readonly index: (index: Index, table: Table) => boolean;
  readonly check: (check: Check, table: Table) => boolean;
  readonly foreignKey: (key: ForeignKey, table: Table) => boolean;
}

/** The ties of the constraints of some tables, under their new names. */
export function attachmentsOf(pairs: readonly Pair[], ids: readonly IdChange[]): Attachments {
  const lost = new Set(followedTypes(ids).keys());
  const retyped = new Set<string>();
  for (const { old, now } of pairs) {
    const types = new Map(old.columns.map(({ name, type }) => [name, type]));
    for (const { name, type } of now.columns) {
      if (!types.has(name)) lost.add(placeOf(now.name, name));
      else if (types.get(name) !== type) retyped.add(placeOf(now.name, name));
    }
  }
  const unkeyed = new Set(pairs.flatMap(lostKeys));
  const moves = (place: string) => lost.has(place) || retyped.has(place);
  return {
    index: ({ columns }, { name }) => columns.some((column) => lost.has(placeOf(name, column))),
    check: (check, { name }) => columnsOfCheck(check).some((column) => moves(placeOf(name, column))),
    foreignKey({ column, references }, { name }) {
      const target = placeOf(references.table, references.column);
      return moves(placeOf(name, column)) || moves(target) || unkeyed.has(target);
    },
  };
}

/** Columns that foreign keys may refer to by a unique key or a primary key that goes. */
function lostKeys(pair: Pair): string[] {
  const { old, now } = pair;
  const gone = old.indexes.filter((key) => !now.indexes.some((other) => isDeepStrictEqual(key, other)));
  const keys = [...gone.filter(({ unique }) => unique).map(({ columns }) => columns), ...keyGone(pair)];
  return keys.flatMap((columns) => columns.slice(0, 1).map((column) => placeOf(now.name, column)));
}
