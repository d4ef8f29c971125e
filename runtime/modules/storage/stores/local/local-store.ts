import { createHmac, hkdfSync, randomUUID, timingSafeEqual } from "node:crypto";
import { rename, rm, unlink } from "node:fs/promises";
import { join } from "node:path";
import { TimedOut } from "../../../../core/concurrency/index.ts";
import { mapKeys, type SecretKeys } from "../../../../core/config/index.ts";
import { encodeKey, type StoredKey } from "../../keys/file-key.ts";
import { ifExists, makeFolder, purgeStagingFolder, statFile, withDiskTimeout } from "../disk.ts";
import type {
  ByteRange,
  FailedRemoval,
  FileInfo,
  FilePage,
  FileStore,
  LinkCheck,
  ListRequest,
  OpenFile,
  ServedStore,
  StagedFile,
} from "../file-store.ts";
import { FileReader, versionOf } from "./file-reader.ts";
import { listPage } from "./list-page.ts";
import { placeFile, RootFolder } from "./root-folder.ts";

interface LocalStoreOptions {
  /** Absolute. Created with the first file. */
  readonly root: string;
  /** URL of the storage routes, without a trailing slash. */
  readonly address: string;
  readonly signatures: LinkSignatures;
}

/** Stores files on this machine, at their keys as paths. */
export class LocalStore implements FileStore, ServedStore {
  readonly stagingFolder: string;
  readonly served = this;
  readonly links: LinkSignatures;
  readonly #filesAddress: string;
  readonly #root: RootFolder;
  readonly #reader: FileReader;

  constructor({ root, address, signatures }: LocalStoreOptions) {
    // On the same file system, so that files can be renamed. Keys have no segment that begins with a dot.
    this.stagingFolder = join(root, ".uploads");
    this.#filesAddress = `${address}/files`;
    this.#root = new RootFolder(root);
    this.#reader = new FileReader(this.#root);
    this.links = signatures;
  }

  async publicBaseUrl(): Promise<string> {
    return this.#filesAddress;
  }

  put(key: StoredKey, { path }: StagedFile, { overwrite }: { readonly overwrite: boolean }): Promise<void> {
    return placeFile(this.#root, key, path, overwrite);
  }

  async versionOf({ path }: StagedFile): Promise<string> {
    const state = await statFile(path);
    if (state === null) throw new Error("the staged file is gone");
    return versionOf(state);
  }

  head(key: StoredKey): Promise<FileInfo | null> {
    return this.#reader.head(key);
  }

  get(key: StoredKey, range?: ByteRange): Promise<OpenFile | null> {
    return this.#reader.open(key, range);
  }

  async remove(key: StoredKey, version?: string): Promise<boolean> {
    const path = await this.#root.find(key);
    const state = path === null ? null : await statFile(path);
    if (path === null || state === null) return false;
    if (version !== undefined && versionOf(state) !== version) return false;
    if ((await ifExists(unlink(path))) === null) return false;
    await this.#root.removeEmptyAbove(path);
    return true;
  }

  async move(
    from: StoredKey,
    to: StoredKey,
    { overwrite }: { readonly overwrite: boolean },
  ): Promise<boolean> {
    const path = await this.#root.find(from);
    const state = path === null ? null : await statFile(path);
    if (path === null || state === null) return false;
    await placeFile(this.#root, to, path, overwrite);
    // A case-insensitive disk has one file with both names.
    const isRenamed = overwrite && from.normalize().toLowerCase() === to.normalize().toLowerCase();
    // A hard link leaves the old name, and a rename too if both names are of the same file.
    if (!isRenamed) await this.remove(from, versionOf(state));
    await this.#root.removeEmptyAbove(path);
    return true;
  }

  async removeAll(keys: readonly StoredKey[]): Promise<readonly FailedRemoval[]> {
    const failed: FailedRemoval[] = [];
    for (const key of keys)
      try {
        const cause = failed.at(-1)?.cause;
        // A stuck disk would need the whole timeout for each file.
        if (cause instanceof TimedOut) throw cause;
        await this.remove(key);
      } catch (cause) {
        failed.push({ key, cause });
      }
    return failed;
  }

  /** Atomic: all files are removed at once. */
  async removeBelow(folder: string): Promise<void> {
    const path = await this.#root.find(folder.slice(0, -1));
    if (path === null) return;
    const removedFolder = join(this.stagingFolder, `removed-${randomUUID()}`);
    await makeFolder(this.stagingFolder);
    await ifExists(rename(path, removedFolder));
    await withDiskTimeout(rm(removedFolder, { recursive: true, force: true }));
    await this.#root.removeEmptyAbove(path);
  }

  list(request: ListRequest): Promise<FilePage> {
    return listPage(this.#root, request);
  }

  async sign(key: StoredKey, expiresSeconds: number): Promise<string> {
    const expires = Math.ceil(Date.now() / 1000) + expiresSeconds;
    return `${this.#filesAddress}/${encodeKey(key)}?expires=${expires}&signature=${this.links.of(key, expires)}`;
  }

  purge(before: Date): Promise<number> {
    return purgeStagingFolder(this.stagingFolder, before);
  }
}

/** Signs links to local files (docs/storage.md#links). */
export class LinkSignatures implements LinkCheck {
  readonly #keys: SecretKeys<Buffer>;

  constructor(secret: SecretKeys) {
    this.#keys = mapKeys(secret, (key) =>
      Buffer.from(hkdfSync("sha256", key, "", "kirak links to files", 32)),
    );
  }

  /** Signature in hexadecimal. `expires` is in seconds since 1970. */
  of(key: string, expires: number): string {
    return bytesUnder(this.#keys[0], key, expires).toString("hex");
  }

  /** In constant time for signatures of the right length. */
  accepts(key: string, expires: number, signature: string): boolean {
    const given = Buffer.from(signature, "hex");
    return this.#keys.some((secret) => {
      const right = bytesUnder(secret, key, expires);
      return given.length === right.length && timingSafeEqual(given, right);
    });
  }
}

/** A number has no line feed, so the start of the key is unambiguous. */
function bytesUnder(secret: Buffer, key: string, expires: number): Buffer {
  return createHmac("sha256", secret).update(`${expires}\n${key}`).digest();
}
