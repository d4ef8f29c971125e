import { rename } from "node:fs/promises";
import type { Savepoint } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { discard, stagingPath } from "../incoming/receive-file.ts";
import type { FileKey } from "../keys/file-key.ts";
import { ofStore } from "../storage-error.ts";
import { answered } from "../stores/disk.ts";
import { KeyConflict, type StagedFile } from "../stores/file-store.ts";
import { locksInTurn, type StorageServices } from "./storage-services.ts";
import {
  type FileToStore,
  type RemoveOptions,
  removeFile,
  staged,
  storeFile,
  takeBack,
  taken,
} from "./store-file.ts";

/** A change of a key by a transaction. */
interface Change {
  readonly kind: "new" | "overwrite" | "remove";
}

type Followed = Pick<Savepoint, "afterCommit" | "onRollback">;

/** A change in a store on the network takes some 10 ms, and a transaction can change thousands of files. */
const mostAtOnce = 16;

/**
 * The files that one transaction stores and removes, its savepoints included. A new file is stored at once and removed again by a rollback.
 * An overwrite stays in the staging folder and takes effect after the commit, as a removal does.
 */
export class TransactionFiles {
  readonly #services: StorageServices;
  /** By key, in the order of the calls. */
  readonly #changes = new Map<FileKey, Change[]>();

  constructor(services: StorageServices) {
    this.#services = { ...services, locks: locksInTurn(services.locks, mostAtOnce) };
  }

  /** Stores a file. For its own `put`, a file that the transaction removed is gone. */
  async store(part: Followed, file: FileToStore): Promise<StagedFile> {
    const { key } = file;
    const overwrite = file.overwrite || this.#changes.get(key)?.at(-1)?.kind === "remove";
    const toStore = staged(file);
    if (!overwrite || !(await this.#exists(key)))
      try {
        await this.#storeNew(part, key, toStore);
        return toStore;
      } catch (error) {
        if (!overwrite || !isConflict(error)) throw error;
        // Unless another process has stored a file since, no file can be there.
        if (!(await this.#exists(key))) throw taken(overwrite, error);
      }
    await this.#overwriteLater(part, key, toStore);
    return toStore;
  }

  /** Removes a file after the commit, unless the transaction stores one there after that. */
  remove(part: Followed, key: FileKey, options: RemoveOptions): void {
    const change = { kind: "remove" } as const;
    part.afterCommit(async () => {
      if (!this.#isReplaced(key, change)) await removeFile(this.#services, key, options);
    }, key);
    this.#changesOf(key).push(change);
    part.onRollback(() => this.#drop(key, change), key);
  }

  async #storeNew(part: Followed, key: FileKey, file: StagedFile): Promise<void> {
    const change = { kind: "new" } as const;
    const version = await storeFile(this.#services, { key, file, overwrite: false });
    const undo = () => this.#services.locks.run(key, () => takeBack(this.#services, key, version));
    try {
      part.onRollback(() => {
        this.#drop(key, change);
        return undo();
      }, key);
    } catch (error) {
      // The hook did not wait for it, and its part of the transaction is over.
      await undo();
      throw error;
    }
    this.#changesOf(key).push(change);
  }

  async #overwriteLater(part: Followed, key: FileKey, { path, ...rest }: StagedFile): Promise<void> {
    const change = { kind: "overwrite" } as const;
    const file = { ...rest, path: stagingPath(this.#services.store.stagingFolder) };
    // Whoever staged the file removes it from its path.
    await ofStore(answered(rename(path, file.path)));
    try {
      part.afterCommit(async () => {
        try {
          if (!this.#isReplaced(key, change)) await storeFile(this.#services, { key, file, overwrite: true });
        } finally {
          await discard(file.path);
        }
      }, key);
      part.onRollback(() => {
        this.#drop(key, change);
        return discard(file.path);
      }, key);
    } catch (error) {
      await discard(file.path);
      throw error;
    }
    this.#changesOf(key).push(change);
  }

  async #exists(key: FileKey): Promise<boolean> {
    return (await ofStore(this.#services.store.head(key))) !== null;
  }

  /** Whether the transaction has stored another file at the key since. */
  #isReplaced(key: FileKey, change: Change): boolean {
    const changes = this.#changesOf(key);
    return changes.slice(changes.indexOf(change) + 1).some(({ kind }) => kind !== "remove");
  }

  #drop(key: FileKey, change: Change): void {
    const changes = this.#changesOf(key);
    changes.splice(changes.indexOf(change), 1);
  }

  #changesOf(key: FileKey): Change[] {
    const changes = this.#changes.get(key) ?? [];
    this.#changes.set(key, changes);
    return changes;
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof ServiceError && error.cause instanceof KeyConflict;
}
