import { TimedOut, withTimeout } from "../../../core/concurrency/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { mediaTypeNamed } from "../content/media-type.ts";
import type { IncomingFile } from "../incoming/receive-file.ts";
import { type FileKey, fileNameOf, type ThumbnailKey } from "../keys/file-key.ts";
import { ofStore, storageError } from "../storage-error.ts";
import { KeyConflict, type StagedFile } from "../stores/file-store.ts";
import type { StorageServices } from "./storage-services.ts";

/** A file that came in, and where it is to be. */
export interface FileToStore {
  readonly key: FileKey;
  readonly file: IncomingFile;
  readonly overwrite: boolean;
}

/** A file, and its thumbnails, that are to be stored at a key. */
export interface NewFile {
  readonly key: FileKey;
  readonly file: StagedFile;
  readonly thumbnails?: readonly (readonly [ThumbnailKey, StagedFile])[];
  readonly overwrite: boolean;
}

/** What storing and removing files needs. */
export type FileServices = Pick<StorageServices, "store" | "locks" | "log">;

/** After a silent store, the next change of the key waits so long for the undo. */
const undoAfterSilenceMs = 5_000;

/** The file as it is under its key: the name tells the type of a text. */
export function staged({ key, file }: FileToStore): StagedFile {
  return { path: file.path, size: file.size, mediaType: mediaTypeNamed(file.kind, fileNameOf(key)) };
}

/**
 * Stores a file, then its thumbnails; gives the version of the file. If a step fails, a new file is removed again; a file that was
 * overwritten is not put back. Errors: 409 `HTTP_ERROR` for a key that is taken, 500 `STORAGE_ERROR`.
 */
export function storeFile(services: FileServices, file: NewFile): Promise<string> {
  const { locks, store } = services;
  return new Promise((resolve, reject) => {
    const storing = locks.run(file.key, async () => {
      const version = await ofStore(store.versionOf(file.file));
      const isNew = !file.overwrite || (await ofStore(store.head(file.key))) === null;
      try {
        await putWithThumbnails(services, file);
        resolve(version);
      } catch (error) {
        const isSilent = error instanceof TimedOut;
        // The caller of a silent store has waited long enough. The key stays locked.
        if (isSilent) reject(storageError(error));
        if (isNew && !(error instanceof KeyConflict)) {
          const undone = takeBack(services, file.key, version);
          await (isSilent ? withTimeout(undone, undoAfterSilenceMs, "").catch(() => {}) : undone);
        }
        throw error instanceof KeyConflict ? taken(file.overwrite, error) : storageError(error);
      }
    });
    storing.catch(reject);
  });
}

async function putWithThumbnails({ store }: FileServices, file: NewFile): Promise<void> {
  const { key, overwrite, thumbnails = [] } = file;
  // A process that is killed in between leaves a file without thumbnails, not with those of another file.
  if (overwrite) await store.removeThumbnails(key);
  await store.put(key, file.file, { overwrite });
  if (!overwrite) await store.removeThumbnails(key);
  for (const [thumbnail, staged] of thumbnails) await store.put(thumbnail, staged, { overwrite: true });
}

/** Removes a new file and its thumbnails, unless another file has taken its place. A failure is logged. */
export async function takeBack(
  { store, log }: Pick<FileServices, "store" | "log">,
  key: FileKey,
  version: string,
): Promise<void> {
  try {
    if ((await store.head(key))?.version !== version) return;
    try {
      await store.removeThumbnails(key);
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
 * Removes a file, and its thumbnails if asked for. The original goes last, so that a removal that failed half-way can be repeated;
 * thumbnails whose original is gone already go as well. Tells whether there was such a file.
 */
export function removeFile(
  { store, locks }: Pick<FileServices, "store" | "locks">,
  key: FileKey,
  { withThumbnails }: RemoveOptions,
): Promise<boolean> {
  const remove = async () => {
    if (withThumbnails) await store.removeThumbnails(key);
    return store.remove(key);
  };
  return locks.run(key, () => ofStore(remove()));
}

/** What a caller gets for a key that is taken: 409 `HTTP_ERROR`. */
export function taken(overwrite: boolean, cause: unknown): ServiceError {
  const message = overwrite
    ? "The path runs through a file, or is a folder."
    : "The path is taken. With overwrite=true the file there is replaced.";
  return new ServiceError("HTTP_ERROR", message, undefined, { status: 409, cause });
}
