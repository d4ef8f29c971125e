import { usersKey } from "../../load/built-in-users.ts";
import { renamed, type TableRename } from "../../migrations/renames.ts";
import type { Table } from "../../migrations/schema.ts";
import type { Matrix, MatrixModel } from "./access-matrix.ts";

/** Models (`books`), fields (`books.isbn`) or named conditions that were added, removed or renamed (`title → name`). */
export interface NameChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly renamed: readonly string[];
}

/** A model before and after, possibly with another key and renamed fields. */
export interface ModelPair {
  readonly before: ModelSide;
  readonly after: ModelSide;
}

/** One side of a pair. `nameOf` returns the new name of a field, so both sides use the same names. */
export interface ModelSide {
  readonly key: string;
  readonly fields: ReadonlySet<string>;
  nameOf(field: string): string;
}

/** The tables before and after, and the names that changed between them. */
export interface TableChanges {
  readonly before: readonly Table[];
  readonly after: readonly Table[];
  readonly renames: readonly TableRename[];
}

/**
 * The models that existed before, by their new key. `known` are keys that had access rules before: a rebase leaves out the tables
 * of migrations that it derives again.
 */
export function modelPairs(
  { before, after, renames }: TableChanges,
  known: { readonly size: number; has(key: string): boolean },
): Map<string, ModelPair> {
  const columns = new Map(renames.map(({ to, columns: names }) => [to, names]));
  const former = new Map(renamed(before, renames).map((table) => [table.name, table]));
  const pairs = after.flatMap((table): [string, ModelPair][] => {
    const old = former.get(table.name) ?? (known.has(table.model) ? table : undefined);
    // The table of users exists before the first run, but its access is new then.
    if (old === undefined || (table.name === usersKey && known.size === 0)) return [];
    return [[table.model, { before: side(old, columns), after: side(table, new Map()) }]];
  });
  return new Map(pairs);
}

type ColumnNames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** `table` has its new names. `columns` maps former names to new ones. */
function side(table: Table, columns: ColumnNames): ModelSide {
  const own = columns.get(table.name) ?? new Map<string, string>();
  const former = new Map([...own].map(([from, to]) => [to, from]));
  return {
    key: table.model,
    fields: new Set(table.columns.map(({ name }) => former.get(name) ?? name)),
    nameOf: (field) => own.get(field) ?? field,
  };
}

/** The former matrix with new names for the relations that lead to internal models. */
export function withNewJoins(matrix: Matrix, pairs: Iterable<ModelPair>): Matrix {
  const former = new Map([...pairs].map((pair) => [pair.before.key, pair]));
  const nameOf = (relation: string) => {
    const [key = "", field = ""] = relation.split(".");
    const pair = former.get(key);
    return pair === undefined ? relation : `${pair.after.key}.${pair.before.nameOf(field)}`;
  };
  return new Map(
    [...matrix].map(([key, access]): [string, MatrixModel] => {
      const joins = access.operations.get("join");
      if (joins === undefined) return [key, access];
      const named = new Map([...joins].map(([name, rows]) => [nameOf(name), rows] as const));
      return [key, { ...access, operations: new Map([...access.operations, ["join", named]]) }];
    }),
  );
}
