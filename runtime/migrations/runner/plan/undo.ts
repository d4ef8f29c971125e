import { historyTables } from "../history/history-tables.ts";
import { MigrationError } from "../migration-error.ts";
import { sqlBeside, sqlName, sqlTable } from "../steps/quoting.ts";

/** An object of the preparation that must be dropped if it exists. */
export interface Undo {
  readonly drop: "index" | "constraint" | "column" | "table";
  /** Its table, or the table itself. */
  readonly table: string;
  /** Equal to `table` for a table. */
  readonly name: string;
}

/** A table that a step locks, by its name before the migration. */
export interface TableLock {
  readonly step: number;
  readonly table: string;
  readonly mode: "access exclusive" | "share row exclusive";
  /** Foreign keys that the step drops or changes: PostgreSQL also locks the table at their other end. */
  readonly keys?: { readonly name: string } | { readonly column: string | null } | "all";
}

/** The statement that removes the preparation. Succeeds if it is removed already. */
export function undoToSql({ drop, table, name: what }: Undo): string {
  if (drop === "table") return `drop table if exists ${sqlTable(table)}`;
  if (drop === "index") return `drop index if exists ${sqlBeside(table, what)}`;
  return `alter table if exists ${sqlTable(table)} drop ${drop} if exists ${sqlName(what)}`;
}

/** The lock that dropping the object needs. */
export function lockOf({ drop, table, name: what }: Undo): TableLock {
  const lock = { step: 0, table, mode: "access exclusive" } as const;
  if (drop === "index") return lock;
  if (drop === "table") return { ...lock, keys: "all" };
  return { ...lock, keys: drop === "column" ? { column: what } : { name: what } };
}

/** The generator uses no such names, and only one migration runs at a time. */
export function temporaryName(step: number): string {
  return `kirak__step_${step + 1}`;
}

/** Reads the undo steps. Throws a MigrationError on other values: other roles may have write access. */
export function readUndo(value: unknown): Undo[] {
  if (!Array.isArray(value) || !value.every(isUndo))
    throw new MigrationError("the row in kirak_migration_progress was not written by Kirak");
  return value;
}

function isUndo(value: unknown): value is Undo {
  if (typeof value !== "object" || value === null) return false;
  if (!("drop" in value && "table" in value && "name" in value)) return false;
  const { drop, table, name: what } = value;
  if (typeof table !== "string" || typeof what !== "string" || historyTables.includes(table)) return false;
  if (drop === "index" || drop === "constraint") return /^kirak__step_\d+$/.test(what);
  return drop === "column" || (drop === "table" && what === table);
}
