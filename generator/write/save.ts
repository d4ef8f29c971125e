import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { FileChange } from "./changes.ts";

/** Writes and removes files. Each file changes at once, by a rename, so that a killed run leaves no half of one. */
export function save(folder: string, changes: readonly FileChange[]): void {
  const written = changes.flatMap(({ path, after }) => (after === null ? [] : [join(folder, path)]));
  makeFoldersOf(written);
  for (const { path, after } of changes) {
    if (after !== null) replaceFile(join(folder, path), after);
  }
  for (const { path, after } of changes) {
    if (after === null) removeFile(folder, path);
  }
}

/** Makes the folders that some files need, each once. */
export function makeFoldersOf(files: readonly string[]): void {
  for (const folder of new Set(files.map(dirname))) mkdirSync(folder, { recursive: true });
}

/** Writes a file under a temporary name beside it, then renames it. */
export function replaceFile(file: string, text: string): void {
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
