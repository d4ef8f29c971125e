import { link, lstat, open, rename, unlink } from "node:fs/promises";
import { answered, codeOf, fileAt, ifThere } from "../disk.ts";
import { KeyConflict } from "../file-store.ts";
import { type RootFolder, removeWithoutFiles } from "./root-folder.ts";

/** A folder may go as often as another file of it is removed meanwhile. */
const mostAttempts = 100;

/** What the system answers if it cannot give a file a second name: most often the file system has no hard links. */
const noLinks = new Set<string | null>(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/**
 * Moves a staged file to its place in one step. Rejects with a `KeyConflict` if something is there, unless it is a file that may be
 * overwritten.
 */
export async function placeFile(
  root: RootFolder,
  key: string,
  staged: string,
  overwrite: boolean,
): Promise<void> {
  await root.make();
  for (let attempt = 1; ; attempt++) {
    try {
      const path = await root.makeWay(key);
      if (overwrite) await answered(rename(staged, path));
      else await moveIfFree(staged, path);
      return;
    } catch (error) {
      const path = await root.pathOf(key);
      const again = attempt < mostAttempts && path !== null && (await mayGoNow(error, staged, path));
      if (again) continue;
      if (path !== null) await root.removeEmptyAbove(path);
      throw inTheWay.has(codeOf(error)) ? new KeyConflict(`${key} is taken.`, { cause: error }) : error;
    }
  }
}

/** What the system says where something else is in the place of a file, or of one of its folders. */
const inTheWay = new Set<string | null>(["EEXIST", "EISDIR", "ENOTDIR", "ENOTEMPTY"]);

/** Whether what failed may work now: a folder went away meanwhile, or stood in the way and was empty. */
async function mayGoNow(error: unknown, staged: string, path: string): Promise<boolean> {
  const code = codeOf(error);
  if (code === "ENOENT") return (await ifThere(lstat(staged))) !== null;
  if (!inTheWay.has(code)) return false;
  const there = await ifThere(lstat(path));
  if (there === null) return code !== "ENOTDIR";
  return there.isDirectory() && removeWithoutFiles(path);
}

/** A second name is made or refused in one step, which a rename is not. */
async function moveIfFree(staged: string, path: string): Promise<void> {
  try {
    await answered(link(staged, path));
  } catch (error) {
    if (!noLinks.has(codeOf(error))) throw error;
    return renameOntoReserved(staged, path);
  }
  // Its owner removes it too.
  await answered(unlink(staged)).catch(() => {});
}

/** Without hard links an empty file reserves the path. Only one process can make it; a reader can meet it for a moment. */
async function renameOntoReserved(staged: string, path: string): Promise<void> {
  const reserved = await answered(reserve(path));
  try {
    await answered(rename(staged, path));
  } catch (error) {
    // Another process can have overwritten the empty file meanwhile.
    if ((await fileAt(path))?.ino === reserved) await answered(unlink(path)).catch(() => {});
    throw error;
  }
}

async function reserve(path: string): Promise<bigint> {
  const file = await open(path, "wx", 0o600);
  try {
    return (await file.stat({ bigint: true })).ino;
  } finally {
    await file.close();
  }
}
