import { rename } from "node:fs/promises";
import type { Savepoint } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { discard, stagingPath } from "../incoming/receive-file.ts";
import type { FileKey } from "../keys/file-key.ts";
import { withStorageErrors } from "../storage-error.ts";
import { withDiskTimeout } from "../stores/disk.ts";
import { KeyConflict, type StagedFile } from "../stores/file-store.ts";
import { limitConcurrency, type StorageServices } from "./storage-services.ts";
import {
  keyTakenError,
  type NewFile,
  type RemoveOptions,
  removeFile,
  storeFile,
  undoStore,
} from "./store-file.ts";

/** A transaction's change of a key. */
interface Change {
  readonly kind: "new" | "overwrite" | "remove";
}

type FileSavepoint = Pick<Savepoint, "afterCommit" | "onRollback">;

/** A remote store needs some 10 ms per change, and a transaction can change thousands of files. */
const mostAtOnce = 16;

/** A transaction's files: a rollback undoes new files; overwrites and removals wait for the commit. */
export class TransactionFiles {
  readonly #services: StorageServices;
  /** By key, in the order of the calls. */
  readonly #changes = new Map<FileKey, Change[]>();

  constructor(services: StorageServices) {
    this.#services = { ...services, locks: limitConcurrency(services.locks, mostAtOnce) };
  }

  /** Stores a file. A key that the transaction removed counts as free. */
  async store(savepoint: FileSavepoint, { key, file, ...sent }: NewFile): Promise<void> {
    const overwrite = sent.overwrite || this.#changes.get(key)?.at(-1)?.kind === "remove";
    if (!overwrite || !(await this.#exists(key)))
      try {
        return await this.#storeNew(savepoint, key, file);
      } catch (error) {
        if (!overwrite || !isConflict(error)) throw error;
        // The key is free, unless another process has stored a file since.
        if (!(await this.#exists(key))) throw keyTakenError(overwrite, error);
      }
    await this.#overwriteLater(savepoint, key, file);
  }

  /** Removes a file after the commit, unless the transaction stores a new one later. */
  remove(savepoint: FileSavepoint, key: FileKey, options: RemoveOptions): void {
    const change = { kind: "remove" } as const;
    savepoint.afterCommit(async () => {
      if (!this.#isReplaced(key, change)) await removeFile(this.#services, key, options);
    }, key);
    this.#changesOf(key).push(change);
    savepoint.onRollback(() => this.#drop(key, change), key);
  }

  async #storeNew(savepoint: FileSavepoint, key: FileKey, file: StagedFile): Promise<void> {
    const change = { kind: "new" } as const;
    const version = await storeFile(this.#services, { key, file, overwrite: false });
    const undo = () => this.#services.locks.run(key, () => undoStore(this.#services, key, version));
    try {
      savepoint.onRollback(() => {
        this.#drop(key, change);
        return undo();
      }, key);
    } catch (error) {
      // The hook did not await the call, and its savepoint has ended.
      await undo();
      throw error;
    }
    this.#changesOf(key).push(change);
  }

  async #overwriteLater(
    savepoint: FileSavepoint,
    key: FileKey,
    { path, ...rest }: StagedFile,
  ): Promise<void> {
    const change = { kind: "overwrite" } as const;
    const file = { ...rest, path: stagingPath(this.#services.store.stagingFolder) };
    // The code that staged the file will remove its staging path.
    await withStorageErrors(withDiskTimeout(rename(path, file.path)));
    try {
      savepoint.afterCommit(async () => {
        try {
          if (!this.#isReplaced(key, change)) await storeFile(this.#services, { key, file, overwrite: true });
        } finally {
          await discard(file.path);
        }
      }, key);
      savepoint.onRollback(() => {
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
    return (await withStorageErrors(this.#services.store.head(key))) !== null;
  }

  /** Whether the transaction stored a newer file at the key. */
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
