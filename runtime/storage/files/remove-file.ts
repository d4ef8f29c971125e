import type { FileKey } from "../keys/file-key.ts";
import { ofStore } from "../storage-error.ts";
import type { StorageServices } from "./storage-services.ts";

export interface RemoveOptions {
  readonly withThumbnails: boolean;
}

/**
 * Removes a file, and its thumbnails where that is asked for. The original goes last, so that a removal that failed half-way can be
 * repeated; thumbnails whose original is gone already go as well. Tells whether there was such a file.
 */
export function removeFile(
  { store, locks }: Pick<StorageServices, "store" | "locks">,
  key: FileKey,
  { withThumbnails }: RemoveOptions,
): Promise<boolean> {
  const remove = async () => {
    if (withThumbnails) await store.removeThumbnails(key);
    return store.remove(key);
  };
  return locks.run(key, () => ofStore(remove()));
}
