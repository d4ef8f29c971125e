import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { answered, ifThere } from "./disk.ts";

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
