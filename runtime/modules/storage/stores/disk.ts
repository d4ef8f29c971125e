import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, realpath, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withTimeout } from "../../../core/concurrency/index.ts";

/** A disk of the network may be stuck: a call then comes back never. */
const longestSilenceMs = 30_000;

/** The outcome of a call to the disk. Rejects where there is none in time. */
export function answered<Value>(call: Promise<Value>, longestMs = longestSilenceMs): Promise<Value> {
  return withTimeout(call, longestMs, `The disk has not answered within ${longestMs / 1000} s.`);
}

/** The code of an error of the system, such as `ENOENT`. Null for other errors. */
export function codeOf(error: unknown): string | null {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : null;
}

/** What the system says where a path leads to nothing, or through what is no folder. */
const nowhere = new Set<string | null>(["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG"]);

/** The same call, with null where its path leads nowhere. */
export async function ifThere<Value>(call: Promise<Value>): Promise<Value | null> {
  try {
    return await answered(call);
  } catch (error) {
    if (nowhere.has(codeOf(error))) return null;
    throw error;
  }
}

/**
 * Makes a folder and those on its way, if they are not there. Like the `recursive` of Node.js, which says that there is no such folder
 * where the disk is read-only, and never ends in some places.
 */
export async function makeFolder(path: string): Promise<void> {
  const code = await makeOne(path);
  if (code === null) return;
  await makeFolder(dirname(path));
  if ((await makeOne(path)) !== null) throw new Error(`${path} cannot be made`);
}

/** Null once there is something. */
async function makeOne(path: string): Promise<"ENOENT" | null> {
  try {
    await answered(mkdir(path));
  } catch (error) {
    const code = codeOf(error);
    if (code === "ENOENT" && dirname(path) !== path) return code;
    if (code !== "EEXIST") throw error;
  }
  return null;
}

/** What tells one state of a file from another, and its size. Numbers are exact. */
export interface FileState {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** The state of what a path leads to, if that is a file and no link. Null for anything else. */
export async function fileAt(path: string): Promise<FileState | null> {
  const state = await ifThere(lstat(path, { bigint: true }));
  return state?.isFile() ? state : null;
}

/** Whether a path is that of a folder, with no link on its way. */
export async function isRealFolder(path: string): Promise<boolean> {
  return (await ifThere(realpath(`${path}/`))) === path;
}

// Whoever opens a pipe would wait for somebody to write into it.
const readPlainly = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Opens a file, unless its path ends in a link. Null where there is nothing that can be opened. */
export async function openToRead(path: string): Promise<FileHandle | null> {
  const opening = open(path, readPlainly);
  try {
    return await ifThere(opening);
  } catch (error) {
    // It may still come.
    opening.then((handle) => handle.close()).catch(() => {});
    // A socket.
    if (codeOf(error) === "ENXIO") return null;
    throw error;
  }
}

/** Removes what was last written to before a moment, folders with all that is in them. Tells how many files and folders that were. */
export async function purgeStagingFolder(folder: string, before: Date): Promise<number> {
  let removed = 0;
  for (const name of (await ifThere(readdir(folder))) ?? []) {
    const path = join(folder, name);
    const found = await ifThere(lstat(path));
    if (found === null || found.mtime >= before) continue;
    await answered(rm(path, { recursive: true, force: true }));
    removed += 1;
  }
  return removed;
}
