import type { Logger } from "pino";
import { WorkQueue } from "../../../core/concurrency/index.ts";
import type { StorageSettings } from "../../../core/config/index.ts";
import type { ImageWorkshop } from "../images/image-workshop.ts";
import type { UploadSlots } from "../incoming/upload-slots.ts";
import { encodeKey, type StoredKey } from "../keys/file-key.ts";
import { isPublic } from "../keys/key-reach.ts";
import { ofStore } from "../storage-error.ts";
import type { FileStore, ListRequest } from "../stores/file-store.ts";

/** What everything that stores and reads files stands on. */
export interface StorageServices {
  readonly settings: StorageSettings;
  readonly store: FileStore;
  readonly locks: Locks;
  readonly uploads: UploadSlots;
  readonly images: ImageWorkshop;
  readonly log: Logger;
}

/** Lets the changes of one key happen one after the other. */
export interface Locks {
  /** Does the work when all that came before it for this key is done. */
  run<Value>(key: string, work: () => Promise<Value>): Promise<Value>;
}

/** The locks of this process. */
export class KeyLocks implements Locks {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<Value>(key: string, work: () => Promise<Value>): Promise<Value> {
    const before = this.#last.get(key) ?? Promise.resolve();
    const mine = before.then(work, work);
    const settled = mine.catch(() => {});
    this.#last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}

/** The same locks, for so many changes at once: who waits for his turn stands in line for the key already. */
export function locksInTurn(locks: Locks, atOnce: number): Locks {
  const queue = new WorkQueue(atOnce);
  return { run: (key, work) => locks.run(key, () => queue.run(work)) };
}

/** The link to a file: without a signature below a public prefix, else one that lasts for so many seconds. */
export async function linkTo(
  { settings, store }: StorageServices,
  key: StoredKey,
  expiresSeconds: number = settings.urlTtlSeconds,
): Promise<string> {
  if (!isPublic(key, settings.publicPrefixes)) return ofStore(store.sign(key, expiresSeconds));
  const base = settings.publicBaseUrl ?? (await ofStore(store.publicBaseUrl()));
  return `${base}/${encodeKey(key)}`;
}

/** One page of files, each with a link, and the key after which the next page begins. */
interface LinkedPage {
  readonly files: readonly { readonly path: string; readonly size: number; readonly url: string }[];
  /** Only where more follow. */
  readonly next?: string;
}

/** Files by their keys, a page at a time. */
export async function listFiles(services: StorageServices, request: ListRequest): Promise<LinkedPage> {
  const { files, more } = await ofStore(services.store.list(request));
  const linked = files.map(async ({ key, size }) => ({ path: key, size, url: await linkTo(services, key) }));
  const last = files.at(-1);
  return { files: await Promise.all(linked), ...(more && last !== undefined && { next: last.key }) };
}
