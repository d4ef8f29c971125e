import { userFields } from "../../vocabulary/accounts/user-fields.ts";
import type { Step } from "../../vocabulary/migrations/migration-steps.ts";
import { tableKeyName } from "../definition/names.ts";
import { usersKey } from "../load/built-in-users.ts";
import { parsedJson } from "../output/lock-file.ts";
import { HistoryError } from "./history-error.ts";
import type { Snapshot, Table } from "./schema.ts";
import { columnOf, idColumn, timeColumns } from "./snapshot.ts";
import { isSnapshot } from "./snapshot-shape.ts";

const nothing = { columns: [], indexes: [], foreignKeys: [], checks: [] } as const;
const fields = Object.entries(userFields).map(([name, field]) => ({ unique: false, name, ...field }));

/** The built-in part of `users`. Built-in migrations create it, and the app's migrations refer to it and extend it. */
export const usersTable: Table = {
  ...nothing,
  model: usersKey,
  name: usersKey,
  columns: [
    idColumn("integer"),
    ...fields.map((field) => columnOf({ nullable: false, maxLength: null, decimal: null, ...field })),
    ...timeColumns(false),
  ],
  indexes: fields
    .filter(({ unique }) => unique)
    .map(({ name }) => ({
      ...{ name: tableKeyName([usersKey, name], "key"), columns: [name] },
      ...{ unique: true, live: false },
    })),
};

/** Stands for the built-in migrations when the app's migrations are replayed, because these extend the table. */
export const usersStep: Step = { step: "create_table", table: usersKey, columns: [] };

/** Adds the built-in part of `users` to tables that have only the app's part of it, or none. */
export function withUsers(tables: readonly Table[]): Table[] {
  const { columns, indexes, foreignKeys, checks } = tables.find(({ name }) => name === usersKey) ?? nothing;
  const whole: Table = {
    ...usersTable,
    ...{ columns: [...usersTable.columns, ...columns], indexes: [...usersTable.indexes, ...indexes] },
    ...{ foreignKeys, checks },
  };
  return [...tables.filter(({ name }) => name !== usersKey), whole];
}

/** Throws a HistoryError if a new version of Kirak has a built-in column that the app added before. */
export function requireOneOfEachColumn(tables: readonly Table[]): void {
  const names = tables.find(({ name }) => name === usersKey)?.columns.map(({ name }) => name) ?? [];
  const twice = names.filter((name, index) => names.indexOf(name) !== index);
  if (twice.length === 0) return;
  throw new HistoryError(
    `this version of Kirak has built-in columns with the names of columns that the app added to ${usersKey}: ${twice.join(", ")}`,
    'with the previous version, rename them ("renamed_from") and migrate every database; then upgrade again',
  );
}

/** Tables with only the app's part of `users`, or without `users` if the app does not extend it. */
export function withoutUsers(tables: readonly Table[]): Table[] {
  const builtIn = new Set(usersTable.indexes.map(({ name }) => name));
  const columns = new Set(usersTable.columns.map(({ name }) => name));
  return tables.flatMap((table) => {
    if (table.name !== usersKey) return [table];
    const own: Table = {
      ...table,
      columns: table.columns.filter(({ name }) => !columns.has(name)),
      indexes: table.indexes.filter(({ name }) => !builtIn.has(name)),
    };
    const parts = [own.columns, own.indexes, own.foreignKeys, own.checks];
    return parts.some(({ length }) => length > 0) ? [own] : [];
  });
}

/** Parses `migrations/schema.json` and adds the built-in part of `users`. Null if the text is invalid. */
export function readSchema(text: string | null | undefined): Snapshot | null {
  const data: unknown = parsedJson(text ?? "");
  return isSnapshot(data) ? { ...data, tables: withUsers(data.tables) } : null;
}

/** Prints `migrations/schema.json`: the tables of the app, and its part of `users`. */
export function printSchema({ migration, tables }: Snapshot): string {
  return `${JSON.stringify({ migration, tables: withoutUsers(tables) }, null, 2)}\n`;
}
