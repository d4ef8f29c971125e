import { createHash, randomUUID } from "node:crypto";
import { readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileStore } from "@tus/file-store";
import type { Upload } from "@tus/server";
import { discard, stagedMode } from "../../incoming/receive-file.ts";
import { mostOfOne, tooManyUploads } from "../../incoming/upload-slots.ts";
import { type FileKey, readFileKey } from "../../keys/file-key.ts";
import { makeFolder, statFile } from "../../stores/disk.ts";

/** The only metadata of a stored upload: its key. */
const storedField = "stored";

/** Unfinished uploads in the staging folder. For a day, it also remembers those that are stored. */
export class UnfinishedUploads {
  readonly #folder: string;
  readonly #files: FileStore;

  constructor(files: FileStore) {
    this.#files = files;
    this.#folder = files.directory;
  }

  pathOf(id: string): string {
    return join(this.#folder, id);
  }

  /** Creates the files of a new upload, which only the service can read. Error: 503 if the user has too many. */
  async create(id: string): Promise<void> {
    await makeFolder(this.#folder);
    const names = await readdir(this.#folder);
    const ofUser = names.filter((name) => name.startsWith(ownerIn(id)) && !name.endsWith(".json"));
    if (ofUser.length >= mostOfOne) throw tooManyUploads();
    for (const path of this.#pathsOf(id)) await writeFile(path, "", { mode: stagedMode, flag: "wx" });
  }

  async remove(id: string): Promise<void> {
    await Promise.all(this.#pathsOf(id).map(discard));
  }

  /** After a crash or a failure, a complete upload is not stored. The client must send its last byte again. */
  async reopen(id: string): Promise<void> {
    const upload = await this.#files.configstore.get(id);
    const state = await statFile(this.pathOf(id));
    if (upload?.size !== undefined && upload.size > 0 && state?.size === BigInt(upload.size))
      await truncate(this.pathOf(id), upload.size - 1);
  }

  /** Remembers the key, for clients that lost the last response. */
  async markStored(upload: Upload, key: FileKey): Promise<void> {
    upload.metadata = { [storedField]: key };
    await this.#files.configstore.set(upload.id, upload);
  }

  /** Null for uploads that are not stored. */
  async findStored(id: string): Promise<{ readonly key: FileKey; readonly size: number } | null> {
    const upload = await this.#files.configstore.get(id);
    const key = readFileKey(upload?.metadata?.[storedField] ?? "");
    return key === null ? null : { key, size: upload?.size ?? 0 };
  }

  #pathsOf(id: string): readonly string[] {
    return [this.pathOf(id), `${this.pathOf(id)}.json`];
  }
}

/** A new id, which begins with a digest of the user's id. */
export function newUploadId(user: string): string {
  return `${digestOf(user)}-${randomUUID()}`;
}

/** Whether an id can be that of an upload of the user. */
export function isUploadOf(id: string, user: string): boolean {
  return /^[0-9a-f]{32}-[0-9a-f-]{36}$/.test(id) && ownerIn(id) === digestOf(user);
}

function ownerIn(id: string): string {
  return id.slice(0, id.indexOf("-"));
}

function digestOf(user: string): string {
  return createHash("sha256").update(user).digest("hex").slice(0, 32);
}
