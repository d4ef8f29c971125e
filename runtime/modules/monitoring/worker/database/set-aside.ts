import { existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const maxKept = 3;
/** Journal first: the new file would read a journal that was left behind. */
const parts = ["-wal", "-shm", ""];

/** Inode of the file; null if it does not exist. */
export function inodeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.ino ?? null;
}

/**
 * Renames a file to `<name>.broken-<n>` and keeps the latest three. Null if another file has replaced it, or
 * another process renames it now.
 */
export function setAside(path: string, inode: number | null): string | null {
  if (inode === null || inodeOf(path) !== inode) return null;
  const lock = `${path}.renaming`;
  if (!takeLock(lock)) return null;
  try {
    return inodeOf(path) === inode ? rename(path) : null;
  } finally {
    rmSync(lock, { force: true });
  }
}

/** A lock that is older than 10 s is from a process that has ended. */
function takeLock(lock: string): boolean {
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
  if (since !== undefined && Date.now() - since > 10_000) rmSync(lock, { force: true });
  try {
    writeFileSync(lock, "", { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

function rename(path: string): string {
  const numbers = brokenNumbers(path);
  const next = Math.max(0, ...numbers) + 1;
  const aside = `${path}.broken-${next}`;
  for (const part of parts) {
    if (existsSync(path + part)) renameSync(path + part, aside + part);
  }
  for (const number of numbers.filter((one) => one <= next - maxKept)) {
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
