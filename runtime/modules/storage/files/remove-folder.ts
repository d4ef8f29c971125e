import { mostRemovals } from "../../../../vocabulary/storage.ts";
import { imageKeyOf, isFileKey, isThumbnailKey } from "../keys/file-key.ts";
import { storageError, withStorageErrors } from "../storage-error.ts";
import type { StorageServices } from "./storage-services.ts";

/**
 * Removes the first files and thumbnails below a folder, which ends with a slash. `deleted` counts files without
 * thumbnails. Error: `STORAGE_ERROR` if none of them could be removed.
 */
export async function removeFolder(
  { store, locks, log }: Pick<StorageServices, "store" | "locks" | "log">,
  folder: string,
) {
  const request = { prefix: folder, after: "", limit: mostRemovals, withThumbnails: true };
  const list = () => withStorageErrors(store.list(request));
  const originals = new Set((await list()).files.map(({ key }) => imageKeyOf(key) ?? key));
  const { keys, failures, more } = await locks.run([...originals], async () => {
    // Uploads could add files and thumbnails until now.
    const { files, more } = await list();
    const keys = files.map(({ key }) => key).filter((key) => originals.has(imageKeyOf(key) ?? key));
    // Originals last, as for a single file.
    const inOrder = [...keys.filter(isThumbnailKey), ...keys.filter(isFileKey)];
    const failures = await withStorageErrors(store.removeAll(inOrder));
    return { keys, failures, more: more || keys.length < files.length };
  });
  const [first] = failures;
  if (first !== undefined && failures.length === keys.length) throw storageError(first.cause);
  if (first !== undefined)
    log.error({ err: first.cause, folder, failed: failures.length }, "cannot remove files of a folder");
  const failed = failures.map(({ key }) => ({ path: key }));
  const deleted = keys.filter(isFileKey).length - failed.filter(({ path }) => isFileKey(path)).length;
  return { path: folder, deleted, failed, more };
}
