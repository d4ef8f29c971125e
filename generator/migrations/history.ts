import { parsedJson } from "../parsed-json.ts";
import type { Snapshot, Table } from "./schema.ts";

/** The migrations that exist, oldest first, and the tables that they add up to. */
export interface History {
  readonly names: readonly string[];
  readonly snapshot: Snapshot;
}

/** A history that does not hold together, in words for the user. */
export interface BrokenHistory {
  readonly problem: string;
}

const migrationFile = /^migrations\/(\d{4,}_[a-z0-9_]+)\.ts$/;
const nothing: History = { names: [], snapshot: { migration: null, tables: [] } };

/**
 * Reads the history from the files of the output folder. Without migrations it is empty; migrations without a
 * readable `schema.json`, or with one of another time, are no history that a new migration could build on; nor are
 * they where one that the lock has `recorded` is gone.
 */
export function readHistory(
  files: ReadonlyMap<string, string>,
  recorded: Iterable<string>,
): History | BrokenHistory {
  const names = [...files.keys()].flatMap((path) => migrationFile.exec(path)?.[1] ?? []).sort();
  const last = names.at(-1);
  if (last === undefined) return nothing;
  const lost = [...recorded].find((path) => migrationFile.test(path) && !files.has(path));
  if (lost !== undefined) return { problem: `${lost} is missing, and later migrations build on it` };
  const snapshot = parseSnapshot(files.get("migrations/schema.json") ?? "");
  if (snapshot === null)
    return { problem: "migrations/schema.json is missing or unreadable, so no change can be found" };
  if (snapshot.migration === last) return { names, snapshot };
  return {
    problem: `migrations/schema.json belongs to "${snapshot.migration}", but the last migration is "${last}"`,
  };
}

/** Path of a migration's file in the output folder. */
export function migrationPath(name: string): string {
  return `migrations/${name}.ts`;
}

function parseSnapshot(text: string): Snapshot | null {
  const data: unknown = parsedJson(text);
  return isSnapshot(data) ? data : null;
}

function isSnapshot(data: unknown): data is Snapshot {
  if (typeof data !== "object" || data === null || !("migration" in data) || !("tables" in data))
    return false;
  return typeof data.migration === "string" && Array.isArray(data.tables) && data.tables.every(isTable);
}

/** The file is ours and guarded by the lock: enough of a look to tell a table from the marks of a merge. */
function isTable(data: unknown): data is Table {
  if (typeof data !== "object" || data === null || !("name" in data)) return false;
  return ["columns", "indexes", "foreignKeys", "checks"].every((part) =>
    Array.isArray(Reflect.get(data, part)),
  );
}
