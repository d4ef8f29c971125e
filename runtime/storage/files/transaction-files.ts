import type { TransactionPart } from "../../database/index.ts";
import type { FileKey } from "../keys/file-key.ts";
import type { StagedFile } from "../stores/file-store.ts";
import { locksInTurn } from "./key-locks.ts";
import { type RemoveOptions, removeFile } from "./remove-file.ts";
import type { StorageServices } from "./storage-services.ts";
import { type FileToStore, storeFileForNow } from "./store-file.ts";

/** What a transaction has done at a key. */
interface KeyState {
  /** How often something was stored there. */
  stored: number;
  /** How often something had been stored when it was to be removed. */
  readonly removals: number[];
}

/** What there is to say to a part of a transaction. */
type Followed = Pick<TransactionPart, "afterCommit" | "onRollback">;

/** A store that is elsewhere takes some 10 ms for each change, and a transaction may change thousands of files. */
const mostAtOnce = 16;

/**
 * What is stored and removed in one transaction, its savepoints included. What follows it stands in line for each file when it ends:
 * whoever stores a file there after the answer comes after that.
 */
export class TransactionFiles {
  readonly #services: StorageServices;
  readonly #states = new Map<FileKey, KeyState>();

  constructor(services: StorageServices) {
    this.#services = { ...services, locks: locksInTurn(services.locks, mostAtOnce) };
  }

  /** Stores a file at once, and undoes that in a rollback. What the transaction removed before is gone for it. */
  async store(part: Followed, file: FileToStore): Promise<StagedFile> {
    const state = this.#stateOf(file.key);
    const overwrite = file.overwrite || state.removals.at(-1) === state.stored;
    const { file: stored, undo, settle } = await storeFileForNow(this.#services, { ...file, overwrite });
    try {
      part.onRollback(() => {
        state.stored--;
        return undo();
      }, file.key);
    } catch (error) {
      // The hook did not wait for it, and its part of the transaction is over.
      await undo();
      throw error;
    }
    state.stored++;
    part.afterCommit(settle, file.key);
    return stored;
  }

  /** Removes a file after the commit, unless something was stored there since. */
  remove(part: Followed, key: FileKey, options: RemoveOptions): void {
    const state = this.#stateOf(key);
    const { stored } = state;
    part.afterCommit(async () => {
      if (state.stored === stored) await removeFile(this.#services, key, options);
    }, key);
    state.removals.push(stored);
    part.onRollback(() => void state.removals.pop(), key);
  }

  #stateOf(key: FileKey): KeyState {
    const state = this.#states.get(key) ?? { stored: 0, removals: [] };
    this.#states.set(key, state);
    return state;
  }
}
