import { link, lstat, mkdir, open, readdir, realpath, rename, rmdir, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { codeOf, ifExists, isRealFolder, makeFolder, statFile, withDiskTimeout } from "../disk.ts";
import { KeyConflict } from "../file-store.ts";

/** The removal of another file can remove the empty folder at the same time, so try again. */
const mostAttempts = 100;

/** Codes of systems without hard links. */
const noHardLinkCodes = new Set<string | null>(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"]);

/** Moves a staged file atomically to its path. Its old name can stay. Rejects with `KeyConflict` if the path is taken. */
export async function placeFile(
  root: RootFolder,
  key: string,
  staged: string,
  overwrite: boolean,
): Promise<void> {
  await root.make();
  for (let attempt = 1; ; attempt++) {
    try {
      const path = await root.makeParentFolders(key);
      if (overwrite) await withDiskTimeout(rename(staged, path));
      else await moveIfFree(staged, path);
      return;
    } catch (error) {
      const path = await root.pathOf(key);
      const again = attempt < mostAttempts && path !== null && (await canRetry(error, staged, path));
      if (again) continue;
      if (path !== null) await root.removeEmptyAbove(path);
      throw pathTakenCodes.has(codeOf(error)) ? new KeyConflict(`${key} is taken.`, { cause: error }) : error;
    }
  }
}

/** Codes if something else is at the path or at one of its folders. */
const pathTakenCodes = new Set<string | null>(["EEXIST", "EISDIR", "ENOTDIR", "ENOTEMPTY"]);

/** Whether a retry can work: a folder was removed, or an empty folder was at the path. */
async function canRetry(error: unknown, staged: string, path: string): Promise<boolean> {
  const code = codeOf(error);
  if (code === "ENOENT") return (await ifExists(lstat(staged))) !== null;
  if (!pathTakenCodes.has(code)) return false;
  const found = await ifExists(lstat(path));
  if (found === null) return code !== "ENOTDIR";
  return found.isDirectory() && removeWithoutFiles(path);
}

/** A hard link fails atomically if the path exists; a rename would overwrite. The caller removes the old name. */
async function moveIfFree(staged: string, path: string): Promise<void> {
  try {
    await withDiskTimeout(link(staged, path));
  } catch (error) {
    if (!noHardLinkCodes.has(codeOf(error))) throw error;
    await renameOntoReserved(staged, path);
  }
}

/** Without hard links, an empty file reserves the path; readers can see it for a moment. */
async function renameOntoReserved(staged: string, path: string): Promise<void> {
  const reserved = await withDiskTimeout(reserve(path));
  try {
    await withDiskTimeout(rename(staged, path));
  } catch (error) {
    // Another process can have replaced the empty file.
    if ((await statFile(path))?.ino === reserved) await withDiskTimeout(unlink(path)).catch(() => {});
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

/** The root of all keys; created with the first file. Links below it are not followed. */
export class RootFolder {
  /** Absolute. The root itself can be a link. */
  readonly path: string;
  #real: string | null = null;

  constructor(path: string) {
    this.path = path;
  }

  /** Path of a key, whether or not it exists. Null without a root. */
  async pathOf(key: string): Promise<string | null> {
    this.#real ??= await ifExists(realpath(this.path));
    return this.#real === null ? null : join(this.#real, key);
  }

  /** Whether the path's folder exists, without links on the way. */
  async hasRealFolder(path: string): Promise<boolean> {
    const folder = dirname(path);
    return folder === this.#real || isRealFolder(folder);
  }

  /** Path of a key; null if its folder does not exist or a symbolic link is on the way. */
  async find(key: string): Promise<string | null> {
    const path = await this.pathOf(key);
    return path !== null && (await this.hasRealFolder(path)) ? path : null;
  }

  async make(): Promise<void> {
    await makeFolder(this.path);
    this.#real = await withDiskTimeout(realpath(`${this.path}/`));
  }

  /** Creates a key's folders and returns its path. Rejects with `KeyConflict` if a file is in the way. */
  async makeParentFolders(key: string): Promise<string> {
    const root = this.#real ?? this.path;
    const path = join(root, key);
    if (await this.hasRealFolder(path)) return path;
    await this.#makeEach(root, key);
    // A case-insensitive file system can have the folder under another name.
    const real = await ifExists(realpath(dirname(path)));
    if (real !== null && real !== dirname(path))
      throw new KeyConflict(`${key} is in a folder that has another name on disk.`);
    return path;
  }

  /** One by one, because `recursive` would follow links. */
  async #makeEach(root: string, key: string): Promise<void> {
    let folder = root;
    for (const segment of key.split("/").slice(0, -1)) {
      folder = join(folder, segment);
      try {
        await withDiskTimeout(mkdir(folder));
      } catch (error) {
        const found = codeOf(error) === "EEXIST" ? await ifExists(lstat(folder)) : null;
        if (found === null) throw error;
        if (!found.isDirectory()) throw new KeyConflict(`${key} goes through a file or a link.`);
      }
    }
  }

  /** Removes empty folders above a path. */
  async removeEmptyAbove(path: string): Promise<void> {
    const root = this.#real ?? this.path;
    for (let folder = dirname(path); folder.startsWith(`${root}/`); folder = dirname(folder))
      if ((await isRealFolder(folder)) && !(await removeIfEmpty(folder))) return;
  }
}

/** Removes a folder that holds no files. Returns whether it did. */
async function removeWithoutFiles(folder: string): Promise<boolean> {
  if (await removeIfEmpty(folder)) return true;
  const entries = await ifExists(readdir(folder, { withFileTypes: true }));
  if (entries === null) return true;
  if (!entries.every((entry) => entry.isDirectory())) return false;
  for (const { name } of entries) if (!(await removeWithoutFiles(join(folder, name)))) return false;
  return removeIfEmpty(folder);
}

async function removeIfEmpty(folder: string): Promise<boolean> {
  try {
    await withDiskTimeout(rmdir(folder));
    return true;
  } catch {
    return false;
  }
}
