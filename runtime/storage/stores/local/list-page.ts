import type { FileKey } from "../../keys/file-key.ts";
import { fileAt } from "../disk.ts";
import type { FilePage, ListedFile, ListRequest } from "../file-store.ts";
import { keysBelow } from "./keys-below.ts";
import type { RootFolder } from "./root-folder.ts";

/** Files that the disk is asked about at once: others wait for it too. */
const mostAtOnce = 64;

/** A page of the files below a root. */
export async function listPage(root: RootFolder, { prefix, after, limit }: ListRequest): Promise<FilePage> {
  const path = await root.pathOf("");
  if (path === null) return { files: [], more: false };
  const files: ListedFile[] = [];
  const keys = keysBelow({ path, base: "" }, { prefix, after });
  // One more than asked for tells whether more follow.
  for (let ended = false; !ended && files.length <= limit; ) {
    const some: FileKey[] = [];
    while (!ended && some.length < Math.min(mostAtOnce, limit + 1 - files.length)) {
      const { done, value } = await keys.next();
      if (done) ended = true;
      else some.push(value);
    }
    files.push(...(await filesOf(root, some)));
  }
  await keys.return(undefined);
  return { files: files.slice(0, limit), more: files.length > limit };
}

/** Without those that went away meanwhile. */
async function filesOf(root: RootFolder, keys: readonly FileKey[]): Promise<ListedFile[]> {
  const files = await Promise.all(
    keys.map(async (key) => {
      const path = await root.pathOf(key);
      const state = path === null ? null : await fileAt(path);
      return state === null ? [] : [{ key, size: Number(state.size) }];
    }),
  );
  return files.flat();
}
