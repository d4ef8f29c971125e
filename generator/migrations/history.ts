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
 * Reads the history from the files of the output folder. In a new folder it is empty; migrations without a readable
 * `schema.json`, or with one of another time, are no history that a new migration could build on; nor are they where
 * one that the lock has `recorded` is gone.
 */
export function readHistory(
  files: ReadonlyMap<string, string>,
  recorded: Iterable<string>,
): History | BrokenHistory {
  const names = [...files.keys()].flatMap((path) => migrationFile.exec(path)?.[1] ?? []).sort();
  const last = names.at(-1) ?? null;
  const lost = [...recorded].find((path) => migrationFile.test(path) && !files.has(path));
  if (lost !== undefined) return { problem: `${lost} is missing, and a database may have it already` };
  const text = files.get("migrations/schema.json");
  if (last === null && text === undefined) return nothing;
  const snapshot = parseSnapshot(text ?? "");
  if (snapshot === null)
    return { problem: "migrations/schema.json is missing or unreadable, so no change can be found" };
  if (snapshot.migration === last) return { names, snapshot };
  return {
    problem: `migrations/schema.json belongs to ${called(snapshot.migration)}, but the last migration is ${called(last)}`,
  };
}

function called(name: string | null): string {
  return name === null ? "none" : `"${name}"`;
}

/** Path of a migration's file in the output folder. */
export function migrationPath(name: string): string {
  return `migrations/${name}.ts`;
}

function parseSnapshot(text: string): Snapshot | null {
  const data: unknown = parsedJson(text);
  return isSnapshot(data) ? data : null;
}

/** The file is ours and guarded by the lock: enough of a look to read it without a crash. */
function isSnapshot(data: unknown): data is Snapshot {
  return has(data, { migration: (name) => name === null || isText(name), tables: each(isTable) });
}

function isTable(data: unknown): data is Table {
  return has(data, {
    model: isText,
    name: isText,
    columns: each((column) => has(column, { name: isText, type: isText, nullable: isFlag })),
    indexes: each((index) =>
      has(index, { name: isText, columns: each(isText), unique: isFlag, live: isFlag }),
    ),
    foreignKeys: each((key) =>
      has(key, { name: isText, column: isText, references: isPlace, onDelete: isText }),
    ),
    checks: each((check) => has(check, { name: isText, column: isText, oneOf: each(isValue) })),
  });
}

type Test = (value: unknown) => boolean;

function has(data: unknown, parts: Readonly<Record<string, Test>>): boolean {
  if (typeof data !== "object" || data === null) return false;
  return Object.entries(parts).every(([name, test]) => test(Reflect.get(data, name)));
}

function each(test: Test): Test {
  return (value) => Array.isArray(value) && value.every(test);
}

function isPlace(value: unknown): boolean {
  return has(value, { table: isText, column: isText });
}

function isText(value: unknown): boolean {
  return typeof value === "string";
}

function isFlag(value: unknown): boolean {
  return typeof value === "boolean";
}

function isValue(value: unknown): boolean {
  return isText(value) || typeof value === "number";
}
