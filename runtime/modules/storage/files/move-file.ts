import { requireAllowedType } from "../content/allowed-types.ts";
import { mediaTypeRenamed } from "../content/media-type.ts";
import { type FileKey, fileNameOf, isThumbnailKey, thumbnailFolder } from "../keys/file-key.ts";
import { storageError, withStorageErrors } from "../storage-error.ts";
import { type FileStore, KeyConflict } from "../stores/file-store.ts";
import { linkTo, type StorageServices } from "./storage-services.ts";
import { keyTakenError, noSuchFile } from "./store-file.ts";

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
    // Sign the link before the file is moved, because signing can fail.
    const url = await linkTo(services, to);
    try {
      // First, so that a killed process never leaves a new file with the thumbnails of the old file.
      if (overwrite) await store.removeThumbnails(to);
      if (!(await store.move(from, to, { overwrite }))) throw noSuchFile();
      if (!overwrite) await store.removeThumbnails(to);
      await moveThumbnails(store, from, to);
    } catch (error) {
      throw error instanceof KeyConflict ? keyTakenError(overwrite, error) : storageError(error);
    }
    return { url, filename: fileNameOf(to), size: file.size, mime_type: mediaType };
  });
}

async function moveThumbnails(store: FileStore, from: FileKey, to: FileKey): Promise<void> {
  const prefix = thumbnailFolder(from);
  // An upload makes fewer.
  const { files } = await store.list({ prefix, after: "", limit: 1_000, withThumbnails: true });
  for (const { key } of files) {
    const newKey = thumbnailFolder(to) + key.slice(prefix.length);
    if (isThumbnailKey(newKey)) await store.move(key, newKey, { overwrite: true });
  }
}
