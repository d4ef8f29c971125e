import type { Column, Step, Table } from "../../../generator/migrations/schema.ts";

/** A table while steps run over it. */
interface Draft {
  columns: Column[];
  indexes: Table["indexes"][number][];
  foreignKeys: Table["foreignKeys"][number][];
  checks: Table["checks"][number][];
}

export type Drafts = Map<string, Draft>;

/** Tables as drafts, without the keys of their models. */
export function drafts(tables: readonly Table[]): Drafts {
  return new Map(
    tables.map(({ name, columns, indexes, foreignKeys, checks }) => [
      name,
      structuredClone({
        columns: byName(columns),
        indexes: byName(indexes),
        foreignKeys: byName(foreignKeys),
        checks: byName(checks),
      }),
    ]),
  );
}

function byName<Part extends { readonly name: string }>(parts: readonly Part[]): Part[] {
  return [...parts].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Runs steps over tables as PostgreSQL would; a step that PostgreSQL refuses throws. */
export function applySteps(tables: readonly Table[], steps: readonly Step[]): Drafts {
  const all = drafts(tables);
  for (const step of steps) applyStep(all, step);
  for (const table of all.values()) {
    for (const part of ["columns", "indexes", "foreignKeys", "checks"] as const) {
      table[part].sort((a, b) => (a.name < b.name ? -1 : 1));
    }
  }
  return all;
}

function applyStep(all: Drafts, step: Step): void {
  if (step.step === "create_table") {
    refuse(all.has(step.table), step);
    all.set(step.table, { columns: [...step.columns], indexes: [], foreignKeys: [], checks: [] });
    return;
  }
  const table = all.get(step.table);
  if (table === undefined) throw new Error(`no table: ${JSON.stringify(step)}`);
  switch (step.step) {
    case "drop_table":
      refuse(referrers(all, step.table).length > 0, step);
      all.delete(step.table);
      return;
    case "rename_table":
      refuse(all.has(step.to), step);
      all.delete(step.table);
      all.set(step.to, table);
      for (const key of allKeys(all))
        if (key.references.table === step.table) Object.assign(key.references, { table: step.to });
      return;
    case "add_column":
      add(table.columns, step.column, step);
      return;
    case "drop_column":
      refuse(
        table.indexes.some(({ columns }) => columns.includes(step.column)),
        step,
      );
      remove(table.columns, step.column, step);
      return;
    case "rename_column":
      renameColumn(all, table, step);
      return;
    case "set_type":
    case "set_nullable":
      changeColumn(
        table,
        step.column,
        step.step === "set_type" ? { type: step.type } : { nullable: step.nullable },
      );
      return;
    case "set_default":
      changeColumn(table, step.column, { default: step.default ?? undefined });
      return;
    case "add_index":
      refuse(
        [...all.values()].some(({ indexes }) => indexes.some(({ name }) => name === step.index.name)),
        step,
      );
      add(table.indexes, step.index, step);
      return;
    case "drop_index":
      remove(table.indexes, step.name, step);
      return;
    case "add_foreign_key":
      refuse(
        !all
          .get(step.foreignKey.references.table)
          ?.columns.some(({ name }) => name === step.foreignKey.references.column),
        step,
      );
      add(table.foreignKeys, step.foreignKey, step);
      return;
    case "drop_foreign_key":
      remove(table.foreignKeys, step.name, step);
      return;
    case "add_check":
      add(table.checks, step.check, step);
      return;
    case "drop_check":
      remove(table.checks, step.name, step);
  }
}

function allKeys(all: Drafts) {
  return [...all.values()].flatMap(({ foreignKeys }) => foreignKeys);
}

/** Foreign keys of other tables that refer to a table. */
function referrers(all: Drafts, name: string) {
  const others = [...all].filter(([other]) => other !== name).flatMap(([, table]) => table.foreignKeys);
  return others.filter(({ references }) => references.table === name);
}

function renameColumn(all: Drafts, table: Draft, step: Step & { step: "rename_column" }): void {
  const rename = (name: string) => (name === step.column ? step.to : name);
  refuse(
    table.columns.some(({ name }) => name === step.to),
    step,
  );
  table.columns = table.columns.map((column) => ({ ...column, name: rename(column.name) }));
  table.indexes = table.indexes.map((index) => ({ ...index, columns: index.columns.map(rename) }));
  table.checks = table.checks.map((check) => ({ ...check, column: rename(check.column) }));
  table.foreignKeys = table.foreignKeys.map((key) => ({ ...key, column: rename(key.column) }));
  for (const { references } of allKeys(all)) {
    if (references.table === step.table) Object.assign(references, { column: rename(references.column) });
  }
}

function changeColumn(
  table: Draft,
  name: string,
  change: { [Key in keyof Column]?: Column[Key] | undefined },
): void {
  const column = table.columns.find((other) => other.name === name);
  if (column === undefined) throw new Error(`no column ${name}`);
  Object.assign(column, change);
  if ("default" in change && change.default === undefined) Reflect.deleteProperty(column, "default");
}

function add<Part extends { readonly name: string }>(parts: Part[], part: Part, step: Step): void {
  refuse(
    parts.some(({ name }) => name === part.name),
    step,
  );
  parts.push(structuredClone(part));
}

function remove(parts: { readonly name: string }[], name: string, step: Step): void {
  const index = parts.findIndex((part) => part.name === name);
  refuse(index < 0, step);
  parts.splice(index, 1);
}

function refuse(refused: boolean, step: Step): void {
  if (refused) throw new Error(`refused: ${JSON.stringify(step)}`);
}
