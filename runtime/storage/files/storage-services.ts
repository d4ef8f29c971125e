import type { Logger } from "pino";
import { WorkQueue } from "../../concurrency/index.ts";
import type { StorageSettings } from "../../config/index.ts";
import type { ImageWorkshop } from "../images/image-workshop.ts";
import type { UploadSlots } from "../incoming/upload-slots.ts";
import type { FileStore } from "../stores/file-store.ts";

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
