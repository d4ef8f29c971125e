import { linkLifetime } from "../../../vocabulary/storage.ts";
import type { Savepoint } from "../../core/database/index.ts";
import { invalid } from "../../core/errors/index.ts";
import type { HookStorage, PutFile, StorageForHooks } from "../../hooks/context/index.ts";
import { linkTo, type StorageServices } from "./files/storage-services.ts";
import { type FileToStore, removeFile, staged, storeFile } from "./files/store-file.ts";
import { TransactionFiles } from "./files/transaction-files.ts";
import { discard, type FileData, receiveData } from "./incoming/receive-file.ts";
import { fileNameOf, keyRules, readFileKey, readStoredKey, type StoredKey } from "./keys/file-key.ts";
import type { StagedFile } from "./stores/file-store.ts";

/** The storage API of hooks (docs/storage.md#files-in-hooks). */
export function hookStorage(services: StorageServices): StorageForHooks {
  const known = new WeakMap<Savepoint, TransactionFiles>();
  return (part, log) => {
    const own = { ...services, log };
    if (part === null) return new HookFiles(own, null);
    const files = known.get(part.whole) ?? new TransactionFiles(own);
    known.set(part.whole, files);
    return new HookFiles(own, { files, part });
  };
}

/** The transaction's files, and the savepoint in which the code runs. */
interface Within {
  readonly files: TransactionFiles;
  readonly part: Savepoint;
}

class HookFiles implements HookStorage {
  readonly #services: StorageServices;
  readonly #within: Within | null;

  constructor(services: StorageServices, within: Within | null) {
    this.#services = services;
    this.#within = within;
  }

  /** The upload limits for users do not apply to code of the app. */
  async put(path: string, data: FileData, { overwrite = false } = {}): Promise<PutFile> {
    const key = asKey(readFileKey(path));
    const folder = this.#services.store.stagingFolder;
    const file = await receiveData(data, { folder, limit: Number.POSITIVE_INFINITY });
    try {
      // Sign the link before the file is stored, because signing can fail.
      const url = await linkTo(this.#services, key);
      const { size, mediaType } = await this.#store({ key, file, overwrite });
      return { url, filename: fileNameOf(key), size, mime_type: mediaType };
    } finally {
      await discard(file.path);
    }
  }

  async url(path: string, { expires }: { readonly expires?: number } = {}): Promise<string> {
    requireLifetime(expires);
    return linkTo(this.#services, asKey(readStoredKey(path)), expires);
  }

  async remove(path: string, { with_thumbnails: withThumbnails = false } = {}): Promise<void> {
    const key = asKey(readFileKey(path));
    if (this.#within === null) await removeFile(this.#services, key, { withThumbnails });
    else this.#within.files.remove(this.#within.part, key, { withThumbnails });
  }

  async #store(file: FileToStore): Promise<StagedFile> {
    if (this.#within !== null) return this.#within.files.store(this.#within.part, file);
    const toStore = staged(file);
    await storeFile(this.#services, { ...file, file: toStore });
    return toStore;
  }
}

/** Error: 400 for an invalid key. */
function asKey<Key extends StoredKey>(key: Key | null): Key {
  if (key === null) throw invalid([{ field: "path", message: keyRules }]);
  return key;
}

function requireLifetime(expires: number | undefined): void {
  const { min, max } = linkLifetime;
  if (expires === undefined || (Number.isInteger(expires) && expires >= min && expires <= max)) return;
  throw invalid([{ field: "expires", message: `must be a whole number from ${min} to ${max}` }]);
}
