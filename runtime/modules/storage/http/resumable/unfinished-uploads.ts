import { createHash, randomUUID } from "node:crypto";
import { readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { FileStore } from "@tus/file-store";
import type { Upload } from "@tus/server";
import { ServiceError } from "../../../../core/errors/index.ts";
import { discard, stagedMode } from "../../incoming/receive-file.ts";
import { mostOfOne } from "../../incoming/upload-slots.ts";
import { makeFolder, statFile } from "../../stores/disk.ts";

/** Unfinished uploads in the staging folder. */
export class UnfinishedUploads {
  readonly #folder: string;
  readonly #files: FileStore;

  constructor(files: FileStore) {
    this.#files = files;
    this.#folder = files.directory;
  }

  /** Creates the files of a new upload, which only the service can read. Error: 429 if the user has too many. */
  async create(id: string): Promise<void> {
    await makeFolder(this.#folder);
    if ((await this.#countOfOwner(id)) >= mostOfOne) throw tooManyUnfinished();
    for (const path of this.#pathsOf(id)) await writeFile(path, "", { mode: stagedMode, flag: "wx" });
  }

  async remove(id: string): Promise<void> {
    await Promise.all(this.#pathsOf(id).map(discard));
  }

  /**
   * Returns the metadata of an upload. After a crash or a failure, a complete upload is not stored: the client must
   * send its last byte again. Error: `NOT_FOUND`.
   */
  async reopen(id: string): Promise<Upload["metadata"]> {
    const upload = await this.#files.configstore.get(id);
    if (upload === undefined) throw noSuchUpload();
    const [path] = this.#pathsOf(id);
    const state = await statFile(path);
    if (upload.size !== undefined && upload.size > 0 && state?.size === BigInt(upload.size))
      await truncate(path, upload.size - 1);
    return upload.metadata;
  }

  /** The number of uploads of the user that are not expired. */
  async #countOfOwner(id: string): Promise<number> {
    const names = (await readdir(this.#folder)).filter(
      (name) => name.startsWith(ownerIn(id)) && name.endsWith(".json"),
    );
    const states = await Promise.all(names.map((name) => statFile(join(this.#folder, name))));
    const expired = BigInt(Date.now() - this.#files.getExpiration()) * 1_000_000n;
    return states.filter((state) => state !== null && state.mtimeNs > expired).length;
  }

  #pathsOf(id: string): readonly [string, string] {
    const path = join(this.#folder, id);
    return [path, `${path}.json`];
  }
}

function tooManyUnfinished(): ServiceError {
  const message = `You have ${mostOfOne} unfinished uploads: finish or delete one.`;
  return new ServiceError("HTTP_ERROR", message, undefined, { status: 429 });
}

/** 404. */
export function noSuchUpload(): ServiceError {
  return new ServiceError("NOT_FOUND", "There is no such upload.");
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
