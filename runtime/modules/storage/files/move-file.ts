import { ServiceError } from "../../../core/errors/index.ts";
import { requireAllowedType } from "../content/allowed-types.ts";
import { mediaTypeRenamed } from "../content/media-type.ts";
import { type FileKey, fileNameOf, isThumbnailKey, thumbnailFolder } from "../keys/file-key.ts";
import { storageError, withStorageErrors } from "../storage-error.ts";
import { KeyConflict } from "../stores/file-store.ts";
import { linkTo, type StorageServices } from "./storage-services.ts";
import { keyTakenError } from "./store-file.ts";
import type { StoredUpload } from "./store-upload.ts";

export interface FileMove {
  readonly from: FileKey;
  /** Not the same key. */
  readonly to: FileKey;
  readonly overwrite: boolean;
}

/** Moves a file, then its thumbnails. Errors: `NOT_FOUND`, 409 and 415 `HTTP_ERROR`, 500 `STORAGE_ERROR`. */
export function moveFile(services: StorageServices, move: FileMove): Promise<StoredUpload> {
  const { locks, settings, store } = services;
  const { from, to, overwrite } = move;
  return locks.run([from, to], async () => {
    const file = await withStorageErrors(store.head(from));
    if (file === null) throw noSuchFile();
    const mediaType = mediaTypeRenamed(file.mediaType, fileNameOf(to));
    requireAllowedType(settings, mediaType);
    // Sign the link before the file is moved, because signing can fail.
    const url = await linkTo(services, to);
    try {
      if (!(await moveWithThumbnails(services, move))) throw noSuchFile();
    } catch (error) {
      throw error instanceof KeyConflict ? keyTakenError(overwrite, error) : storageError(error);
    }
    return { url, filename: fileNameOf(to), size: file.size, mime_type: mediaType };
  });
}

async function moveWithThumbnails({ store }: StorageServices, move: FileMove): Promise<boolean> {
  const { from, to, overwrite } = move;
  const [folder, newFolder] = [thumbnailFolder(from), thumbnailFolder(to)];
  // First, so that a killed process never leaves a new file with the thumbnails of the old file.
  if (overwrite) await store.removeThumbnails(to);
  if (!(await store.move(from, to, { overwrite }))) return false;
  if (!overwrite) await store.removeThumbnails(to);
  const { files } = await store.list({
    prefix: folder,
    after: "",
    limit: mostThumbnails,
    withThumbnails: true,
  });
  for (const { key } of files) {
    const newKey = newFolder + key.slice(folder.length);
    if (isThumbnailKey(newKey)) await store.move(key, newKey, { overwrite: true });
  }
  return true;
}

/** An upload makes fewer. */
const mostThumbnails = 1_000;

function noSuchFile(): ServiceError {
  return new ServiceError("NOT_FOUND", "There is no such file.");
}
