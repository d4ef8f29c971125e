import { requireAllowedType } from "../content/allowed-types.ts";
import { mediaTypeRenamed } from "../content/media-type.ts";
import { type FileKey, fileNameOf, thumbnailFolder, thumbnailKey } from "../keys/file-key.ts";
import { withStorageErrors } from "../storage-error.ts";
import type { FileStore } from "../stores/file-store.ts";
import { fileData, type StorageServices } from "./storage-services.ts";
import { noSuchFile, placeAtKey, placingError } from "./store-file.ts";

interface FileMove {
  readonly from: FileKey;
  /** Not the same key. */
  readonly to: FileKey;
  readonly overwrite: boolean;
}

/** Moves a file, then its thumbnails. Errors: `NOT_FOUND`, 409 and 415 `HTTP_ERROR`, 500 `STORAGE_ERROR`. */
export function moveFile(services: StorageServices, { from, to, overwrite }: FileMove) {
  const { locks, settings, store } = services;
  return locks.run([from, to], async () => {
    const file = await withStorageErrors(store.head(from));
    if (file === null) throw noSuchFile();
    const mediaType = mediaTypeRenamed(file.mediaType, fileNameOf(to));
    requireAllowedType(settings, mediaType);
    const data = await fileData(services, to, { size: file.size, mediaType });
    try {
      await placeAtKey(store, { key: to, overwrite }, async () => {
        if (!(await store.move(from, to, { overwrite }))) throw noSuchFile();
      });
      await moveThumbnails(store, from, to);
    } catch (error) {
      throw placingError(overwrite, error);
    }
    return data;
  });
}

async function moveThumbnails(store: FileStore, from: FileKey, to: FileKey): Promise<void> {
  const prefix = thumbnailFolder(from);
  // An upload makes fewer.
  const { files } = await store.list({ prefix, after: "", limit: 1_000, withThumbnails: true });
  for (const { key } of files) await store.move(key, thumbnailKey(to, fileNameOf(key)), { overwrite: true });
}
