import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import { lockFile } from "../../vocabulary/models-folder.ts";
import { checksum, type Lock, parsedJson, parseLock, pendingLockFile } from "./lock-file.ts";
import { mergedSides } from "./merge-marks.ts";
import { type EmittedFile, emittedSum, migrationAt, snapshotPath } from "./output-files.ts";

/** The output folder before a run. Paths are relative to it, with `/`. */
export interface OutputFolder {
  /** All files except the leftovers of a killed run. */
  readonly files: ReadonlyMap<string, string>;
  readonly lock: Lock;
  /** False if the lock is invalid, for example after a merge. `lock` is empty then. */
  readonly lockReadable: boolean;
  /** The locks of both branches, if the lock has conflict marks. */
  readonly sides: readonly Lock[];
  /** The lock that a killed run was about to write. */
  readonly pending: Lock;
  /** The leftovers of a killed run, with their texts: temporary files, and a migration that is not in the lock. */
  readonly leftovers: ReadonlyMap<string, string>;
}

const noLock: Lock = { codeFormat: 0, format: "", models: "", files: new Map() };

/** All locks: of the last run, of both sides of a merge, and of a killed run. */
export function locksOf({ lock, pending, sides }: OutputFolder): Lock[] {
  return [lock, pending, ...sides];
}

/** Reads the output folder; an absent one is empty. */
export function readOutputFolder(folder: string): OutputFolder {
  const all = new Map(filesIn(folder).map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  const text = all.get(lockFile) ?? "{}";
  const lock = parseLock(text);
  const pending = parseLock(all.get(pendingLockFile) ?? "{}") ?? noLock;
  const migrations = lock === null ? [] : unrecordedMigrations(all, lock, pending);
  const leftovers = [...all].filter(([path]) => migrations.includes(path) || /\.\d+\.tmp$/.test(path));
  for (const [path] of leftovers) all.delete(path);
  all.delete(pendingLockFile);
  return {
    files: all,
    lock: lock ?? noLock,
    lockReadable: lock !== null,
    sides: lock === null ? mergedSides(text).flatMap((side) => parseLock(side) ?? []) : [],
    pending,
    leftovers: new Map(leftovers),
  };
}

/**
 * Migrations of a killed run: the pending lock lists them, but the snapshot, which is written after them, does not. The pending lock
 * never lists a migration from a merge.
 */
function unrecordedMigrations(files: ReadonlyMap<string, string>, lock: Lock, pending: Lock): string[] {
  const { migration }: { migration?: unknown } = Object(parsedJson(files.get(snapshotPath) ?? ""));
  const unrecorded = [...files.keys()].filter(
    (path) => migrationAt(path) !== null && pending.files.has(path) && !lock.files.has(path),
  );
  return unrecorded.some((path) => migrationAt(path) === migration) ? [] : unrecorded;
}

const sums = new WeakMap<OutputFolder, Map<string, string>>();

/** Checksum of a file on disk. Cached, because several stages need it. */
function contentSum(folder: OutputFolder, path: string, text: string): string {
  const known = sums.get(folder) ?? new Map<string, string>();
  sums.set(folder, known);
  const sum = known.get(path) ?? checksum(text);
  known.set(path, sum);
  return sum;
}

/** The text of a file on disk, if it is the formatted form of the emitted text; null otherwise. */
export function currentText(file: EmittedFile, folder: OutputFolder): string | null {
  const { path } = file;
  const [entry, onDisk] = [folder.lock.files.get(path), folder.files.get(path)];
  if (entry === undefined || onDisk === undefined) return null;
  return entry.source === emittedSum(file) && entry.content === contentSum(folder, path, onDisk)
    ? onDisk
    : null;
}

/** Paths of all files in a folder, relative to it; none where it is absent. */
export function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name).slice(join(folder, sep).length).split(sep).join("/"),
      );
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}
