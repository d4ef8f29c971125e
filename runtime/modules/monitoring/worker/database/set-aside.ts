import { existsSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const kept = 3;
/** The journal, its index, and the file: a journal that was left behind would be read into the new file. */
const parts = ["-wal", "-shm", ""];

/** Which file lies at a path; null: none. */
export function inodeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}

/**
 * Renames a file, unchanged, to `<name>.broken-<n>`, and removes all of those but the latest. Returns its new path; null where it is not
 * the file that is meant any more: another process has set that aside, and begun a new one.
 */
export function setAside(path: string, inode: number | null): string | null {
  if (inode === null || inodeOf(path) !== inode) return null;
  const numbers = brokenNumbers(path);
  const next = Math.max(0, ...numbers) + 1;
  const aside = `${path}.broken-${next}`;
  for (const part of parts) {
    if (existsSync(path + part)) renameSync(path + part, aside + part);
  }
  for (const number of numbers.filter((one) => one <= next - kept)) {
    for (const part of parts) rmSync(`${path}.broken-${number}${part}`, { force: true });
  }
  return aside;
}

function brokenNumbers(path: string): number[] {
  const prefix = `${basename(path)}.broken-`;
  return readdirSync(dirname(path))
    .filter((name) => name.startsWith(prefix) && /^\d+$/.test(name.slice(prefix.length)))
    .filter((name) => statSync(join(dirname(path), name), { throwIfNoEntry: false })?.isFile())
    .map((name) => Number(name.slice(prefix.length)));
}
