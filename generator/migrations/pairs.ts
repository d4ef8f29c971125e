import { lossOf } from "./conversion.ts";
import { renamed, type TableRename } from "./renames.ts";
import type { Table } from "./schema.ts";

/** A table that stands on both sides of a comparison. */
export interface Pair {
  /** As it was, under its former names. */
  readonly was: Table;
  /** As it was, under its new names, with only the columns that stay. */
  readonly old: Table;
  readonly now: Table;
  /** Former names of the columns that stay. */
  readonly kept: ReadonlySet<string>;
  /** Columns whose values cannot be kept, by their former names, and why. They are dropped, and made again. */
  readonly lost: ReadonlyMap<string, string>;
}

export interface Comparison {
  readonly pairs: readonly Pair[];
  readonly created: readonly Table[];
  /** Under their former names. */
  readonly dropped: readonly Table[];
}

/** Which tables of two sets are the same ones. */
export function compared(
  before: readonly Table[],
  after: readonly Table[],
  renames: readonly TableRename[],
): Comparison {
  const sources = new Map(renames.map(({ from, to }) => [to, from]));
  const base = renamed(before, renames);
  const known = new Map<string, { was: Table; old: Table }>();
  for (const [index, was] of before.entries()) {
    const old = base[index];
    // A table whose name another one takes is gone.
    if (old !== undefined && (sources.get(old.name) ?? was.name) === was.name)
      known.set(old.name, { was, old });
  }
  const pairs = after.flatMap((now): Pair[] => {
    const former = known.get(now.name);
    return former === undefined ? [] : [pairOf(former.was, former.old, now)];
  });
  const kept = new Set(pairs.map(({ was }) => was));
  return {
    pairs,
    created: after.filter(({ name }) => !known.has(name)),
    dropped: before.filter((table) => !kept.has(table)),
  };
}

function pairOf(was: Table, old: Table, now: Table): Pair {
  const wanted = new Map(now.columns.map((column) => [column.name, column]));
  const kept = new Set<string>();
  const lost = new Map<string, string>();
  const columns = old.columns.filter((column, index) => {
    const next = wanted.get(column.name);
    const former = was.columns[index]?.name ?? column.name;
    const why = next === undefined ? null : lossOf(column, next);
    if (why !== null) lost.set(former, why);
    else if (next !== undefined) kept.add(former);
    return next !== undefined && why === null;
  });
  return { was, old: { ...old, columns }, now, kept, lost };
}
