import type { Column } from "../../vocabulary/migrations/migration-steps.ts";
import type { ColumnPlace } from "./consequences.ts";
import { type Loss, lossOf } from "./conversion.ts";
import { columnKey, type IdChange, idChanges, retypedColumn, retypedColumns } from "./id-types.ts";
import { renamed, type TableRename } from "./renames.ts";
import type { Table } from "./schema.ts";

/** A table that exists on both sides of a comparison. */
export interface ComparedTable {
  /** The former table under its former names. */
  readonly was: Table;
  /** The former table under its new names, with only the columns that stay, and with ids of the new type. */
  readonly old: Table;
  readonly now: Table;
  /** Former names of the columns that stay, by their new ones. */
  readonly kept: ReadonlyMap<string, string>;
  /** Columns whose values cannot be kept, by their former names, with the reason. They are dropped and created again. */
  readonly lost: ReadonlyMap<string, Loss>;
}

export interface ComparedTables {
  readonly pairs: readonly ComparedTable[];
  readonly created: readonly Table[];
  /** Under their former names. */
  readonly dropped: readonly Table[];
  readonly ids: readonly IdChange[];
}

/** A table before and after, with all columns. */
interface Sides {
  readonly was: Table;
  readonly old: Table;
  readonly now: Table;
}

/** The two sides of a table, under its new names. */
export type TablePair = Pick<ComparedTable, "old" | "now"> & Partial<Pick<ComparedTable, "was" | "kept">>;

/** The place of a column until the migration runs. */
export function placeBefore({ was, kept, now }: TablePair, column: string): ColumnPlace {
  const id = kept === undefined ? "id" : (kept.get("id") ?? null);
  const to = { table: now.name, column };
  return { table: was?.name ?? now.name, column: kept?.get(column) ?? column, id, to };
}

/** Pairs the tables of two schemas. */
export function compareTables(
  before: readonly Table[],
  after: readonly Table[],
  renames: readonly TableRename[],
): ComparedTables {
  const sources = new Map(renames.map(({ from, to }) => [to, from]));
  const base = renamed(before, renames);
  const known = new Map<string, { was: Table; old: Table }>();
  for (const [index, was] of before.entries()) {
    const old = base[index];
    // A table whose name another table takes over is gone.
    if (old !== undefined && (sources.get(old.name) ?? was.name) === was.name)
      known.set(old.name, { was, old });
  }
  const sides = after.flatMap((now): Sides[] => {
    const former = known.get(now.name);
    return former === undefined ? [] : [{ ...former, now }];
  });
  const kept = new Set(sides.map(({ was }) => was));
  const ids = idChanges(sides);
  const types = retypedColumns(ids);
  return {
    pairs: sides.map((side) => pairOf(side, types)),
    created: after.filter(({ name }) => !known.has(name)),
    dropped: before.filter((table) => !kept.has(table)),
    ids,
  };
}

function pairOf({ was, old, now }: Sides, types: ReadonlyMap<string, IdChange["type"]>): ComparedTable {
  const wanted = new Map(now.columns.map((column) => [column.name, column]));
  const kept = new Map<string, string>();
  const lost = new Map<string, Loss>();
  const columns = old.columns.flatMap((column, index): Column[] => {
    const next = wanted.get(column.name);
    if (next === undefined) return [];
    const former = was.columns[index]?.name ?? column.name;
    const type = types.get(columnKey(now.name, column.name));
    const loss = type === undefined ? lossOf(column, next) : null;
    if (loss === null) kept.set(column.name, former);
    else lost.set(former, loss);
    if (loss !== null) return [];
    return [type === undefined ? column : retypedColumn(column, type)];
  });
  return { was, old: { ...old, columns }, now, kept, lost };
}
