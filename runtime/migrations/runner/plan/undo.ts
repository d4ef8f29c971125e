import { historyTables } from "../history/history-tables.ts";
import { MigrationError } from "../migration-error.ts";
import { sqlName } from "../steps/quoting.ts";

/** What is to be dropped, if it is there, so that nothing is left of what was prepared. */
export interface Undo {
  readonly drop: "index" | "constraint" | "column" | "table";
  /** The table that it belongs to, or is. */
  readonly table: string;
  /** For a table, the same as `table`. */
  readonly name: string;
}

/** A table that a step locks, by its name before the migration. */
export interface TableLock {
  readonly step: number;
  readonly table: string;
  readonly mode: "access exclusive" | "share row exclusive";
  /** Foreign keys that go or change with it: PostgreSQL locks the table at their other end, too. */
  readonly keys?: { readonly name: string } | { readonly column: string | null } | "all";
}

/** The statement that removes the preparation. Succeeds if it is removed already. */
export function undoToSql({ drop, table, name: what }: Undo): string {
  if (drop === "table") return `drop table if exists ${sqlName(table)}`;
  if (drop === "index") return `drop index if exists ${sqlName(what)}`;
  return `alter table if exists ${sqlName(table)} drop ${drop} if exists ${sqlName(what)}`;
}

/** The table that is locked to undo something. */
export function lockOf({ drop, table, name: what }: Undo): TableLock {
  const lock = { step: 0, table, mode: "access exclusive" } as const;
  if (drop === "index") return lock;
  if (drop === "table") return { ...lock, keys: "all" };
  return { ...lock, keys: drop === "column" ? { column: what } : { name: what } };
}

/** No name of the generator's begins like this, and one migration at a time is being applied. */
export function temporaryName(step: number): string {
  return `kirak__step_${step + 1}`;
}

/** Reads the undo steps. Throws a MigrationError on other values: other roles may have write access. */
export function readUndo(value: unknown): Undo[] {
  if (!Array.isArray(value) || !value.every(isUndo))
    throw new MigrationError("the row in kirak_migration_progress is not one of Kirak's");
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
