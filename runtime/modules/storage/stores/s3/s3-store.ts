import { WorkQueue } from "../../../../core/concurrency/index.ts";
import type { S3StorageSettings } from "../../../../core/config/index.ts";
import type { StoredKey } from "../../keys/file-key.ts";
import { purgeStagingFolder } from "../disk.ts";
import type {
  FailedRemoval,
  FilePage,
  FileStore,
  ListRequest,
  StagedFile,
  StoredFile,
} from "../file-store.ts";
import { copyObject } from "./object-copy.ts";
import { listFiles, purgeBucket, removeBelow, removeObjects } from "./object-list.ts";
import { headObject, objectTypeOf, uploadIdOf, uploadObject, versionOf } from "./object-upload.ts";
import { connectS3, type S3Connection } from "./s3-connection.ts";
import { requireValue, S3Failure, S3Session, withIdleTimeout } from "./s3-session.ts";

export interface S3StoreOptions {
  readonly settings: S3StorageSettings;
  /** Idle timeout of S3. */
  readonly idleMs?: number;
  /** In bytes, at least 5 MiB. Larger files are sent in parts. */
  readonly partSize?: number;
}

/** The minimum of S3. */
const smallestPart = 5 * 1024 * 1024;
/** Concurrent uploads. Each uses up to twice the part size in memory. */
const maxConcurrentUploads = 8;
/** S3 copies up to 5 GB before it answers, so a copy can take this many idle timeouts. */
const copyTimeouts = 10;

/** Files in a bucket. Starts to load the SDK at construction. */
export class S3Store implements FileStore {
  readonly stagingFolder: string;
  readonly served = null;
  readonly #connection: Promise<S3Connection>;
  readonly #idleMs: number;
  readonly #partSize: number;
  readonly #uploads = new WorkQueue(maxConcurrentUploads);
  readonly #waiting = new Set<S3Session>();

  constructor({ settings, idleMs = 30_000, partSize = smallestPart }: S3StoreOptions) {
    this.stagingFolder = settings.stagingFolder;
    this.#idleMs = idleMs;
    this.#partSize = partSize;
    this.#connection = connectS3(settings);
    // The callers that await the connection get the error.
    this.#connection.catch(() => {});
  }

  publicBaseUrl(): Promise<string> {
    return this.#withSession((session) => session.request("link", () => session.connection.links.baseUrl()));
  }

  async put(key: StoredKey, file: StagedFile, { overwrite }: { readonly overwrite: boolean }): Promise<void> {
    await this.#withSession(async (session) => {
      // A queued file does not time out while S3 responds to other requests.
      this.#waiting.add(session);
      const send = () => {
        this.#waiting.delete(session);
        return uploadObject(session, { key, file, overwrite, partSize: this.#partSize });
      };
      try {
        await this.#uploads.run(send, session.signal);
      } finally {
        this.#waiting.delete(session);
      }
    });
  }

  async versionOf(file: StagedFile): Promise<string> {
    return uploadIdOf(file);
  }

  head(key: StoredKey): Promise<StoredFile | null> {
    return this.#withSession(async (session) => {
      const object = await headObject(session, key);
      if (object === null) return null;
      const size = requireValue("HeadObject", "ContentLength", object.ContentLength);
      return { version: versionOf(object), size, mediaType: objectTypeOf(object) };
    });
  }

  async move(
    from: StoredKey,
    to: StoredKey,
    { overwrite }: { readonly overwrite: boolean },
  ): Promise<boolean> {
    const object = await this.#withSession((session) => headObject(session, from));
    if (object === null) return false;
    const copy = (session: S3Session) => copyObject(session, object, { from, to, overwrite });
    if (!(await this.#withSession(copy, copyTimeouts * this.#idleMs))) return false;
    await this.remove(from, versionOf(object));
    return true;
  }

  async remove(key: StoredKey, version?: string): Promise<boolean> {
    return this.#withSession(async (session) => {
      // S3 does not report whether the object existed.
      const object = await headObject(session, key);
      if (object === null) return false;
      const found = versionOf(object);
      if (version !== undefined && version !== found) return false;
      const { client, sdk } = session.connection;
      // Another process can have replaced the file. Providers without `IfMatch` delete the new one.
      const condition = version === undefined ? {} : { IfMatch: strongTag(object.ETag) };
      const input = { ...session.objectInput(key), ...condition };
      try {
        await session.request("DeleteObject", (options) =>
          client.send(new sdk.DeleteObjectCommand(input), options),
        );
      } catch (error) {
        if (error instanceof S3Failure && error.taken) return false;
        throw error;
      }
      return true;
    });
  }

  removeAll(keys: readonly StoredKey[]): Promise<readonly FailedRemoval[]> {
    return this.#withSession((session) => removeObjects(session, keys));
  }

  async removeBelow(folder: string): Promise<void> {
    await this.#withSession((session) => removeBelow(session, folder));
  }

  list(request: ListRequest): Promise<FilePage> {
    return this.#withSession((session) => listFiles(session, request));
  }

  sign(key: StoredKey, expiresSeconds: number): Promise<string> {
    return this.#withSession((session) =>
      session.request("link", () => session.connection.links.sign(key, expiresSeconds)),
    );
  }

  async purge(before: Date): Promise<number> {
    const staged = await purgeStagingFolder(this.stagingFolder, before);
    return staged + (await this.#withSession((session) => purgeBucket(session, before)));
  }

  async #withSession<Value>(
    work: (session: S3Session) => Promise<Value>,
    idleMs = this.#idleMs,
  ): Promise<Value> {
    // Loading the SDK does not count for the idle timeout.
    const connection = await this.#connection;
    const onProgress = () => {
      for (const waiting of this.#waiting) waiting.resetTimeout();
    };
    return withIdleTimeout(idleMs, (deadline) => work(new S3Session(connection, deadline, onProgress)));
  }
}

/** Some providers omit the quotes. */
function strongTag(tag: string | undefined): string {
  return `"${requireValue("HeadObject", "ETag", tag).replace(/^W\//, "").replaceAll('"', "")}"`;
}
