import type { ConditionNames, NamedPath } from "../../conditions/index.ts";
import type { PathHop } from "../../emit/views/path-hops.ts";
import { usersKey } from "../../load/built-in-users.ts";
import type { TableRename } from "../../migrations/renames.ts";
import type { Table } from "../../migrations/schema.ts";
import type { MatrixModel } from "./access-matrix.ts";
import type { ModelSide, TableChanges } from "./model-pairs.ts";

/** The models of one side of a comparison, under the new names of their tables and columns. */
export type NamedTables = ReadonlyMap<string, NamedTable>;

interface NamedTable {
  readonly table: Table;
  readonly name: string;
  columnOf(column: string): string;
}

/** The tables of both sides. A rebase leaves out the tables of migrations that it derives again. */
export function namedTables({ before, after, renames }: TableChanges): {
  before: NamedTables;
  after: NamedTables;
} {
  const now = after.map((table) => [table.model, named(table, [])] as const);
  const known = new Set(before.map(({ name }) => name));
  const again = now.filter(([, { name }]) => !known.has(name));
  const then = before.map((table) => [table.model, named(table, renames)] as const);
  return { before: new Map([...again, ...then]), after: new Map(now) };
}

function named(table: Table, renames: readonly TableRename[]): NamedTable {
  const rename = renames.find(({ from }) => from === table.name);
  const columns = rename?.columns ?? new Map<string, string>();
  const taken = new Set(columns.values());
  // A table whose name another table takes over is gone.
  const gone = renames.some(({ to }) => to === table.name) && rename === undefined;
  return {
    table,
    name: gone ? `former ${table.name}` : (rename?.to ?? table.name),
    columnOf: (column) => columns.get(column) ?? (taken.has(column) ? `former ${column}` : column),
  };
}

/** Resolves the names in the conditions of a model, by its block in the matrix. */
export function conditionNames(access: MatrixModel, side: ModelSide, tables: NamedTables): ConditionNames {
  const pathOf = (relations: readonly string[]): NamedPath | null => {
    const hops = hopsOf(relations, access);
    const end = tables.get(hops?.at(-1)?.to.model ?? "");
    if (hops === null) return null;
    return {
      hops: hops.map((hop) => {
        const { live, first, sign } = hop;
        return { leads: leadsTo(hop, tables), live, first, many: sign === "<" && !first };
      }),
      fields: new Set(end?.table.columns.map(({ name }) => name)),
      nameOf: (name) => end?.columnOf(name) ?? name,
    };
  };
  const callerColumn = (column: string) => tables.get(usersKey)?.columnOf(column) ?? column;
  return { fields: side.fields, nameOf: side.nameOf, pathOf, callerColumn };
}

/** The hops of a path, or of the start of a longer one. Null if no rule uses it. */
export function hopsOf(relations: readonly string[], { paths }: MatrixModel): readonly PathHop[] | null {
  const path = relations.join(".");
  const found = [...paths].find(([known]) => known === path || known.startsWith(`${path}.`));
  return found?.[1].slice(0, relations.length) ?? null;
}

function leadsTo({ from, sign, to, first }: PathHop, tables: NamedTables): string {
  const name = ({ model, column }: PathHop["from"]) => {
    const table = tables.get(model);
    return table === undefined ? `unknown ${model}.${column}` : `${table.name}.${table.columnOf(column)}`;
  };
  return `${name(from)} ${sign} ${name(to)}${first ? " (first)" : ""}`;
}
