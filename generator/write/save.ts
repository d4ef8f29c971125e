import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileChange } from "./changes.ts";

/** Writes and removes files. Each file changes at once, by a rename, so that a killed run leaves no half of one. */
export function save(folder: string, changes: readonly FileChange[]): void {
  for (const { path, after } of changes) {
    if (after !== null) replaceFile(join(folder, path), after);
  }
  for (const { path, after } of changes) {
    if (after === null) removeFile(folder, path);
  }
}

/** Writes a file under a temporary name beside it, then renames it. */
export function replaceFile(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

function removeFile(folder: string, path: string): void {
  rmSync(join(folder, path), { force: true });
  for (let parent = dirname(path); parent !== "."; parent = dirname(parent)) {
    if (readdirSync(join(folder, parent)).length > 0) return;
    rmdirSync(join(folder, parent));
  }
}
