import { readdirSync, readFileSync } from "node:fs";
import { join, sep } from "node:path";
import type { EmittedFile } from "../emit/emit.ts";
import { checksum } from "./checksum.ts";
import { type Lock, lockFile, parseLock } from "./lock.ts";

/** What the output folder holds before a run. Paths are relative to it, with `/`. */
export interface OutputFolder {
  readonly files: ReadonlyMap<string, string>;
  readonly lock: Lock;
}

/** Reads the output folder; an absent one is empty. */
export function readOutputFolder(folder: string): OutputFolder {
  const files = new Map(filesIn(folder).map((path) => [path, readFileSync(join(folder, path), "utf8")]));
  return { files, lock: parseLock(files.get(lockFile) ?? "{}") };
}

/** The text of a file on disk, if it was made of the emitted text and nobody edited it since; else null. */
export function currentText({ path, text }: EmittedFile, { files, lock }: OutputFolder): string | null {
  const [entry, onDisk] = [lock.files.get(path), files.get(path)];
  if (entry === undefined || onDisk === undefined) return null;
  return entry.source === checksum(text) && entry.content === checksum(onDisk) ? onDisk : null;
}

function filesIn(folder: string): string[] {
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
