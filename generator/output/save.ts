import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { lockFile } from "../../vocabulary/models-folder.ts";
import type { FileChange } from "./file-changes.ts";
import { pendingLockFile } from "./lock-file.ts";

/**
 * Writes and removes files. Each file changes at once, by a rename, so that a killed run leaves no half of one; the
 * lock comes last, and is under another name until then, so that the next run knows what a killed one wrote.
 */
export function save(folder: string, changes: readonly FileChange[]): void {
  const lock = changes.find(({ path }) => path === lockFile)?.after ?? null;
  const written = changes.flatMap(({ path, after }) => (after === null ? [] : [join(folder, path)]));
  makeFoldersOf(written);
  const pending = join(folder, pendingLockFile);
  if (lock !== null) replaceFile(pending, lock);
  for (const { path, after } of changes) {
    if (after !== null && path !== lockFile) replaceFile(join(folder, path), after);
  }
  for (const { path, after } of changes) {
    if (after === null) removeFile(folder, path);
  }
  if (lock !== null) renameSync(pending, join(folder, lockFile));
  else rmSync(pending, { force: true });
}

/** Makes the folders that some files need, each once. */
export function makeFoldersOf(files: readonly string[]): void {
  for (const folder of new Set(files.map(dirname))) mkdirSync(folder, { recursive: true });
}

/** Writes a file under a temporary name next to it, then renames it. */
export function replaceFile(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

function removeFile(folder: string, path: string): void {
  rmSync(join(folder, path), { force: true });
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) {
    if (readdirSync(join(folder, parent)).length > 0) return;
    rmdirSync(join(folder, parent));
  }
}
