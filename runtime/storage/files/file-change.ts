import { ServiceError } from "../../errors/index.ts";
import type { FileKey } from "../keys/file-key.ts";
import type { ThumbnailKey } from "../keys/thumbnail-key.ts";
import { ofStore, storageError } from "../storage-error.ts";
import { type KeptFile, KeyConflict, type StagedFile } from "../stores/file-store.ts";
import type { StorageServices } from "./storage-services.ts";

/** A file, and its thumbnails, that are to be stored at a key. */
export interface NewFile {
  readonly key: FileKey;
  readonly file: StagedFile;
  readonly thumbnails: readonly (readonly [ThumbnailKey, StagedFile])[];
  readonly overwrite: boolean;
}

/** A file that was stored, while whoever stored it may change his mind. One of the two is called. */
export interface FileChange {
  /** Puts back what was there before, unless somebody else has stored something there since. */
  readonly undo: () => Promise<void>;
  /** Lets go of what was there before. */
  readonly settle: () => Promise<void>;
}

/** Stores a file for good. Errors: 409 `HTTP_ERROR` for a key that is taken, 500 `STORAGE_ERROR`; then all is as it was. */
export async function storeForGood(services: StorageServices, file: NewFile): Promise<void> {
  await services.locks.run(file.key, async () => {
    const kept = await replace(services, file);
    await forget(services, kept);
  });
}

/** Stores a file as `storeForGood` does, in a way that can be undone. */
export async function storeForNow(services: StorageServices, file: NewFile): Promise<FileChange> {
  const { locks, store } = services;
  return locks.run(file.key, async () => {
    const kept = await replace(services, file);
    const etag = async () => (await ofStore(store.head(file.key)))?.etag;
    const mine = await etag();
    const undo = async () => {
      const isMine = (await etag()) === mine;
      await (isMine ? putBack(services, file.key, kept) : forget(services, kept));
    };
    return { undo: () => locks.run(file.key, undo), settle: () => forget(services, kept) };
  });
}

/** Stores the file, then its thumbnails, and gives what was there before. */
async function replace(services: StorageServices, file: NewFile): Promise<KeptFile | null> {
  const { key, overwrite, thumbnails } = file;
  const { store } = services;
  const kept = overwrite ? await ofStore(store.keep(key)) : null;
  let isChanged = kept !== null;
  try {
    // A process that is killed here leaves a file without its thumbnails, and not with those of another.
    if (kept !== null) await store.removeThumbnails(key);
    await store.put(key, file.file, { overwrite });
    isChanged = true;
    if (kept === null) await store.removeThumbnails(key);
    for (const [thumbnail, staged] of thumbnails) await store.put(thumbnail, staged, { overwrite: true });
    return kept;
  } catch (error) {
    if (isChanged) await orLog(services, key, putBack(services, key, kept));
    throw error instanceof KeyConflict ? taken(overwrite, error) : storageError(error);
  }
}

/** As it was before: nothing, or what was kept. */
async function putBack({ store }: StorageServices, key: FileKey, kept: KeptFile | null): Promise<void> {
  if (kept !== null) return ofStore(store.restore(kept));
  await ofStore(store.removeThumbnails(key));
  await ofStore(store.remove(key));
}

async function forget(services: StorageServices, kept: KeptFile | null): Promise<void> {
  // The file is stored: what stays behind is for the purge.
  if (kept !== null) await orLog(services, kept.key, services.store.forget(kept));
}

async function orLog({ log }: StorageServices, key: FileKey, work: Promise<void>): Promise<void> {
  await work.catch((error: unknown) => log.error({ err: error, key }, "storage could not be cleared up"));
}

function taken(overwrite: boolean, cause: KeyConflict): ServiceError {
  const message = overwrite
    ? "The path runs through a file, or is a folder."
    : "The path is taken. With overwrite=true the file there is replaced.";
  return new ServiceError("HTTP_ERROR", message, undefined, { status: 409, cause });
}
