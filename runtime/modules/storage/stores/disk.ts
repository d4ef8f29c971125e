import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withTimeout } from "../../../core/concurrency/index.ts";

/** A call to a stuck network disk never returns. */
const longestSilenceMs = 30_000;

/** Result of a disk call. Rejects after a timeout. */
export function withDiskTimeout<Value>(call: Promise<Value>, longestMs = longestSilenceMs): Promise<Value> {
  return withTimeout(call, longestMs, `The disk has not answered within ${longestMs / 1000} s.`);
}

/** Code of a system error, such as `ENOENT`. Null for other errors. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** Codes for a missing path, or one that leads through a file. */
const missingPathCodes = new Set<string | null>(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/** The result of the call; null if its path does not exist. */
export async function ifExists<Value>(call: Promise<Value>): Promise<Value | null> {
  try {
    return await withDiskTimeout(call);
  } catch (error) {
    if (missingPathCodes.has(codeOf(error))) return null;
    throw error;
  }
}

/** Creates a folder. Node.js's `recursive` reports a read-only disk as ENOENT, and can loop below /proc. */
export async function makeFolder(path: string): Promise<void> {
  const code = await makeSingleFolder(path);
  if (code === null) return;
  await makeFolder(dirname(path));
  if ((await makeSingleFolder(path)) !== null) throw new Error(`${path} cannot be created`);
}

/** Null if something exists at the path. */
async function makeSingleFolder(path: string): Promise<"ENOENT" | null> {
  try {
    await withDiskTimeout(mkdir(path));
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" && dirname(path) !== path) return code;
    if (code !== "EEXIST") throw error;
  }
  return null;
}

/** Identifies the state of a file, with exact numbers. */
export interface FileState {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** State of a regular file. Null if it does not exist or is not a regular file, such as a link. */
export async function statFile(path: string): Promise<FileState | null> {
  const state = await ifExists(lstat(path, { bigint: true }));
  return state?.isFile() ? state : null;
}

/** Whether the path is a folder without links on the way. */
export async function isRealFolder(path: string): Promise<boolean> {
  return (await ifExists(realpath(`${path}/`))) === path;
}

// Opening a pipe would block until another process writes.
const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a file for reading. Null if the path does not exist, or is a link or a socket. */
export async function openToRead(path: string): Promise<FileHandle | null> {
  const opening = open(path, openFlags);
  try {
    return await ifExists(opening);
  } catch (error) {
    // A call that timed out can still succeed.
    opening.then((handle) => handle.close()).catch(() => {});
    // The path is a socket.
    if (codeOf(error) === "ENXIO") return null;
    throw error;
  }
}

/** Removes files and folders last modified before a moment. Returns their number. */
export async function purgeStagingFolder(folder: string, before: Date): Promise<number> {
  let removed = 0;
  for (const name of (await ifExists(readdir(folder))) ?? []) {
    const path = join(folder, name);
    const found = await ifExists(lstat(path));
    if (found === null || found.mtime >= before) continue;
    await withDiskTimeout(rm(path, { recursive: true, force: true }));
    removed += 1;
  }
  return removed;
}
