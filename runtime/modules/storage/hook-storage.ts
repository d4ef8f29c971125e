import { linkLifetime } from "../../../vocabulary/storage.ts";
import type { Savepoint } from "../../core/database/index.ts";
import { invalid } from "../../core/errors/index.ts";
import type { HookStorage, PutFile, StorageForHooks } from "../../hooks/context/index.ts";
import { fileData, linkTo, type StorageServices } from "./files/storage-services.ts";
import { removeFile, storeFile, toStagedFile } from "./files/store-file.ts";
import { TransactionFiles } from "./files/transaction-files.ts";
import { discard, type FileData, receiveData } from "./incoming/receive-file.ts";
import { keyRules, readFileKey, readStoredKey, type StoredKey } from "./keys/file-key.ts";

/** The storage API of hooks (docs/storage.md#files-in-hooks). */
export function hookStorage(services: StorageServices): StorageForHooks {
  const known = new WeakMap<Savepoint, TransactionFiles>();
  return (savepoint, log) => {
    const requestServices = { ...services, log };
    if (savepoint === null) return new HookFiles(requestServices, null);
    const files = known.get(savepoint.whole) ?? new TransactionFiles(requestServices);
    known.set(savepoint.whole, files);
    return new HookFiles(requestServices, { files, savepoint: savepoint });
  };
}

/** The transaction's files, and the savepoint in which the code runs. */
interface TransactionScope {
  readonly files: TransactionFiles;
  readonly savepoint: Savepoint;
}

class HookFiles implements HookStorage {
  readonly #services: StorageServices;
  readonly #within: TransactionScope | null;

  constructor(services: StorageServices, within: TransactionScope | null) {
    this.#services = services;
    this.#within = within;
  }

  /** The upload limits for users do not apply to code of the app. */
  async put(path: string, data: FileData, { overwrite = false } = {}): Promise<PutFile> {
    const key = requireKey(readFileKey(path));
    const folder = this.#services.store.stagingFolder;
    const file = await receiveData(data, { folder, limit: Number.POSITIVE_INFINITY });
    try {
      const toStore = { key, file: toStagedFile({ key, file, overwrite }), overwrite };
      const data = await fileData(this.#services, key, toStore.file);
      if (this.#within === null) await storeFile(this.#services, toStore);
      else await this.#within.files.store(this.#within.savepoint, toStore);
      return data;
    } finally {
      await discard(file.path);
    }
  }

  async url(path: string, { expires }: { readonly expires?: number } = {}): Promise<string> {
    requireLifetime(expires);
    return linkTo(this.#services, requireKey(readStoredKey(path)), expires);
  }

  async remove(path: string, { with_thumbnails: withThumbnails = false } = {}): Promise<void> {
    const key = requireKey(readFileKey(path));
    if (this.#within === null) await removeFile(this.#services, key, { withThumbnails });
    else this.#within.files.remove(this.#within.savepoint, key, { withThumbnails });
  }
}

/** Error: 400 for an invalid key. */
function requireKey<Key extends StoredKey>(key: Key | null): Key {
  if (key === null) throw invalid([{ field: "path", message: keyRules }]);
  return key;
}

function requireLifetime(expires: number | undefined): void {
  const { min, max } = linkLifetime;
  if (expires === undefined || (Number.isInteger(expires) && expires >= min && expires <= max)) return;
  throw invalid([{ field: "expires", message: `must be a whole number from ${min} to ${max}` }]);
}
