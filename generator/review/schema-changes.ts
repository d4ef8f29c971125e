import { renamed } from "../migrations/renames.ts";
import type { Table } from "../migrations/schema.ts";
import type { NameChanges, TableChanges } from "./access/model-pairs.ts";

export interface SchemaChanges {
  readonly models: NameChanges;
  readonly fields: NameChanges;
}

/** The changes of models and fields since the last run. */
export function schemaChanges({ before, after, renames }: TableChanges): SchemaChanges {
  const base = renamed(before, renames);
  const old = new Map(base.map((table) => [table.name, table]));
  const now = new Map(after.map((table) => [table.name, table]));
  const pairs = after.flatMap((table): [Table, Table][] => {
    const former = old.get(table.name);
    return former === undefined ? [] : [[former, table]];
  });
  const lost = base.filter((table) => !now.has(table.name));
  return {
    models: {
      added: after.filter(({ name }) => !old.has(name)).map(({ model }) => model),
      removed: lost.map((table) => table.model),
      renamed: pairs.filter(([a, b]) => a.model !== b.model).map(([a, b]) => `${a.model} → ${b.model}`),
    },
    fields: {
      added: pairs.flatMap(([a, b]) => onlyInFirst(b, a)),
      removed: pairs.flatMap(([a, b]) => onlyInFirst(a, b)),
      renamed: pairs.flatMap(([, table]) => renamedFields(table, renames)),
    },
  };
}

function onlyInFirst(first: Table, second: Table): string[] {
  const others = new Set(second.columns.map((column) => column.name));
  return first.columns.filter(({ name }) => !others.has(name)).map(({ name }) => `${first.model}.${name}`);
}

function renamedFields(table: Table, renames: TableChanges["renames"]): string[] {
  const columns = renames.find((rename) => rename.to === table.name)?.columns ?? new Map<string, string>();
  return [...columns].map(([from, to]) => `${table.model}.${from} → ${to}`);
}
