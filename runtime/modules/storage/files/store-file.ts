import { TimedOut, withTimeout } from "../../../core/concurrency/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { mediaTypeNamed } from "../content/media-type.ts";
import type { IncomingFile } from "../incoming/receive-file.ts";
import { type FileKey, fileNameOf, type ThumbnailKey, thumbnailFolder } from "../keys/file-key.ts";
import { storageError, withStorageErrors } from "../storage-error.ts";
import { type FileStore, KeyConflict, type StagedFile } from "../stores/file-store.ts";
import type { StorageServices } from "./storage-services.ts";

export interface FileToStore {
  readonly key: FileKey;
  readonly file: IncomingFile;
  readonly overwrite: boolean;
}

export interface NewFile {
  readonly key: FileKey;
  readonly file: StagedFile;
  readonly thumbnails?: readonly (readonly [ThumbnailKey, StagedFile])[];
  readonly overwrite: boolean;
}

export type FileServices = Pick<StorageServices, "store" | "locks" | "log">;

/** After a store timeout, the key stays locked for the undo, at most for this time. */
const undoAfterSilenceMs = 5_000;

/** The staged file with its final media type: the type of a text depends on its name. */
export function toStagedFile({ key, file }: FileToStore): StagedFile {
  return { path: file.path, size: file.size, mediaType: mediaTypeNamed(file.kind, fileNameOf(key)) };
}

/** Stores a file, then its thumbnails; returns its version. Errors: 409 `HTTP_ERROR`, 500 `STORAGE_ERROR`. */
export function storeFile(services: FileServices, file: NewFile): Promise<string> {
  const { locks, store } = services;
  return new Promise((resolve, reject) => {
    const storing = locks.run(file.key, async () => {
      const version = await withStorageErrors(store.versionOf(file.file));
      const isNew = !file.overwrite || (await withStorageErrors(store.head(file.key))) === null;
      try {
        await putWithThumbnails(services, file);
        resolve(version);
      } catch (error) {
        const isSilent = error instanceof TimedOut;
        // The caller has waited for the whole store timeout. The key stays locked.
        if (isSilent) reject(storageError(error));
        if (isNew && !(error instanceof KeyConflict)) {
          const undone = undoStore(services, file.key, version);
          await (isSilent ? withTimeout(undone, undoAfterSilenceMs, "").catch(() => {}) : undone);
        }
        throw placingError(file.overwrite, error);
      }
    });
    storing.catch(reject);
  });
}

/** Runs the work that puts a file at the key, and removes the thumbnails of an earlier file. */
export async function placeAtKey(
  store: FileStore,
  { key, overwrite }: Pick<NewFile, "key" | "overwrite">,
  place: () => Promise<void>,
): Promise<void> {
  // First, so that a killed process never leaves a new file with the thumbnails of the old file.
  if (overwrite) await store.removeBelow(thumbnailFolder(key));
  await place();
  if (!overwrite) await store.removeBelow(thumbnailFolder(key));
}

async function putWithThumbnails({ store }: FileServices, file: NewFile): Promise<void> {
  const { key, overwrite, thumbnails = [] } = file;
  await placeAtKey(store, file, () => store.put(key, file.file, { overwrite }));
  for (const [thumbnail, staged] of thumbnails) await store.put(thumbnail, staged, { overwrite: true });
}

/** Removes a new file and its thumbnails, unless another file replaced it. Logs failures. */
export async function undoStore(
  { store, log }: Pick<FileServices, "store" | "log">,
  key: FileKey,
  version: string,
): Promise<void> {
  try {
    if ((await store.head(key))?.version !== version) return;
    try {
      await store.removeBelow(thumbnailFolder(key));
    } finally {
      await store.remove(key, version);
    }
  } catch (error) {
    log.error({ err: error, key }, "cannot remove a file whose upload or transaction has failed");
  }
}

export interface RemoveOptions {
  readonly withThumbnails: boolean;
}

/**
 * Removes a file. The original is removed last, so that callers can retry. Returns whether the file existed.
 */
export function removeFile(
  { store, locks }: Pick<FileServices, "store" | "locks">,
  key: FileKey,
  { withThumbnails }: RemoveOptions,
): Promise<boolean> {
  const remove = async () => {
    if (withThumbnails) await store.removeBelow(thumbnailFolder(key));
    return store.remove(key);
  };
  return locks.run(key, () => withStorageErrors(remove()));
}

/** Error of an existing key: 409 `HTTP_ERROR`. */
export function keyTakenError(overwrite: boolean, cause: unknown): ServiceError {
  const message = overwrite
    ? "A part of the path is a file, or the path is a folder."
    : "A file with this path exists. Send overwrite=true to replace it.";
  return new ServiceError("HTTP_ERROR", message, undefined, { status: 409, cause });
}

/** Error of a failure to put a file at a key. */
export function placingError(overwrite: boolean, error: unknown): ServiceError {
  return error instanceof KeyConflict ? keyTakenError(overwrite, error) : storageError(error);
}

export function noSuchFile(): ServiceError {
  return new ServiceError("NOT_FOUND", "There is no such file.");
}
