import { TimedOut } from "../../concurrency/index.ts";
import { ServiceError } from "../../errors/index.ts";
import type { FileKey } from "../keys/file-key.ts";
import type { ThumbnailKey } from "../keys/thumbnail-key.ts";
import { ofStore, storageError } from "../storage-error.ts";
import { type KeptFile, KeyConflict, type StagedFile } from "../stores/file-store.ts";
import type { StorageServices } from "./storage-services.ts";
import type { Replaced } from "./unsettled-changes.ts";

/** A file, and its thumbnails, that are to be stored at a key. */
export interface NewFile {
  readonly key: FileKey;
  readonly file: StagedFile;
  readonly thumbnails: readonly (readonly [ThumbnailKey, StagedFile])[];
  readonly overwrite: boolean;
}

/** A file that was stored, while whoever stored it may change his mind. One of the two is called. */
export interface FileChange {
  /** Puts back what was there before, unless somebody else has stored something there since. What cannot be put back is logged. */
  readonly undo: () => Promise<void>;
  /** Lets go of what was there before. */
  readonly settle: () => Promise<void>;
}

/** Stores a file for good. Errors: 409 `HTTP_ERROR` for a key that is taken, 500 `STORAGE_ERROR`; then all is as it was. */
export async function storeForGood(services: StorageServices, file: NewFile): Promise<void> {
  await services.locks.run(file.key, async () => {
    const { kept } = await replace(services, file);
    await forget(services, kept);
  });
}

/** Stores a file as `storeForGood` does, in a way that can be undone. */
export async function storeForNow(services: StorageServices, file: NewFile): Promise<FileChange> {
  const { locks, unsettled } = services;
  return locks.run(file.key, async () => {
    const replaced = await replace(services, file);
    unsettled.add(replaced);
    const ended = (work: () => Promise<void>) => () =>
      locks.run(file.key, async () => {
        unsettled.remove(replaced);
        await work();
      });
    return {
      undo: ended(() => undo(services, replaced)),
      settle: ended(() => forget(services, replaced.kept)),
    };
  });
}

/** Stores the file, then its thumbnails. What fails leaves all as it was, or puts it back soon where the store is silent. */
async function replace(services: StorageServices, file: NewFile): Promise<Replaced> {
  const { key, overwrite, thumbnails } = file;
  const { store } = services;
  const version = await ofStore(store.versionOf(file.file));
  const kept = overwrite ? await ofStore(store.keep(key)) : null;
  // With `overwrite` what failed may have been stored all the same.
  let isTouched = overwrite;
  try {
    // A process that is killed here leaves a file without its thumbnails, and not with those of another.
    if (kept !== null) await store.removeThumbnails(key);
    await store.put(key, file.file, { overwrite });
    isTouched = true;
    if (kept === null) await store.removeThumbnails(key);
    for (const [thumbnail, staged] of thumbnails) await store.put(thumbnail, staged, { overwrite: true });
    return { key, version, kept };
  } catch (error) {
    const back = () => putBack(services, { key, version, kept });
    // A silent store would be silent again: the caller does not wait for that.
    if (isTouched && error instanceof TimedOut) void services.locks.run(key, back);
    else if (isTouched) await back();
    throw error instanceof KeyConflict ? taken(overwrite, error) : storageError(error);
  }
}

/** Where another change would put back what this one stored, it puts back in its place what was there before both. */
async function undo(services: StorageServices, replaced: Replaced): Promise<void> {
  const later = services.unsettled.after(replaced);
  if (later === undefined) return putBack(services, replaced);
  const { kept } = later;
  later.kept = replaced.kept;
  await forget(services, kept);
}

/** As it was before, if that can be done: else the log says where it is kept. */
async function putBack(services: StorageServices, replaced: Replaced): Promise<void> {
  await tryToPutBack(services, replaced).catch((error: unknown) => {
    const { key, kept } = replaced;
    const words = "what was stored before could not be put back; the purge removes what is kept of it";
    services.log.error({ err: error, key, kept: kept?.place }, words);
  });
}

/** What somebody else has stored since, in another process, stays. */
async function tryToPutBack(services: StorageServices, { key, version, kept }: Replaced): Promise<void> {
  const { store } = services;
  const now = (await store.head(key))?.version;
  if (kept !== null && (now === version || now === kept.version)) return store.restore(kept);
  if (kept !== null) return forget(services, kept);
  if (now !== version) return;
  try {
    await store.removeThumbnails(key);
  } finally {
    await store.remove(key);
  }
}

async function forget({ store, log }: StorageServices, kept: KeptFile | null): Promise<void> {
  // The file is stored: what stays behind is for the purge.
  if (kept === null) return;
  const { key, place } = kept;
  await store.forget(kept).catch((error: unknown) => {
    log.error(
      { err: error, key, kept: place },
      "what was kept of a file could not be removed: the purge does",
    );
  });
}

function taken(overwrite: boolean, cause: KeyConflict): ServiceError {
  const message = overwrite
    ? "The path runs through a file, or is a folder."
    : "The path is taken. With overwrite=true the file there is replaced.";
  return new ServiceError("HTTP_ERROR", message, undefined, { status: 409, cause });
}
