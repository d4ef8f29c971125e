import type { Logger } from "pino";
import { WorkQueue } from "../../../core/concurrency/index.ts";
import type { StorageSettings } from "../../../core/config/index.ts";
import type { ImageProcessor } from "../images/image-processor.ts";
import type { UploadSlots } from "../incoming/upload-slots.ts";
import { encodeKey, fileNameOf, type StoredKey } from "../keys/file-key.ts";
import { isPublic } from "../keys/key-reach.ts";
import { withStorageErrors } from "../storage-error.ts";
import type { FileStore, StagedFile } from "../stores/file-store.ts";

/** Dependencies of all code that stores or reads files. */
export interface StorageServices {
  readonly settings: StorageSettings;
  readonly store: FileStore;
  readonly locks: Locks;
  readonly uploads: UploadSlots;
  readonly images: ImageProcessor;
  readonly log: Logger;
}

/** Serialises changes to the same key. */
export interface Locks {
  /** Runs the work after all earlier work for these keys. */
  run<Value>(keys: string | readonly string[], work: () => Promise<Value>): Promise<Value>;
}

/** Locks within this process. */
export class KeyLocks implements Locks {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Takes its place in all queues at once, so that two calls never wait for each other. */
  async run<Value>(keys: string | readonly string[], work: () => Promise<Value>): Promise<Value> {
    const all = [keys].flat();
    const mine = Promise.all(all.map((key) => this.#last.get(key))).then(work);
    const settled = mine.catch(() => {});
    for (const key of all) this.#last.set(key, settled);
    try {
      return await mine;
    } finally {
      for (const key of all) if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}

/** Adds a concurrency limit to locks. Work first waits for its key, and then for a free slot. */
export function limitConcurrency(locks: Locks, atOnce: number): Locks {
  const queue = new WorkQueue(atOnce);
  return { run: (keys, work) => locks.run(keys, () => queue.run(work)) };
}

/** Link to a file: unsigned below a public prefix, else it expires after `expiresSeconds`. */
export async function linkTo(
  { settings, store }: StorageServices,
  key: StoredKey,
  expiresSeconds: number = settings.urlTtlSeconds,
): Promise<string> {
  if (!isPublic(key, settings.publicPrefixes)) return withStorageErrors(store.sign(key, expiresSeconds));
  const base = settings.publicBaseUrl ?? (await withStorageErrors(store.publicBaseUrl()));
  return `${base}/${encodeKey(key)}`;
}

/** The data of a file in answers. Signing its link can fail, so call this before the file is stored. */
export async function fileData(
  services: StorageServices,
  key: StoredKey,
  { size, mediaType }: Omit<StagedFile, "path">,
) {
  return { url: await linkTo(services, key), filename: fileNameOf(key), size, mime_type: mediaType };
}
