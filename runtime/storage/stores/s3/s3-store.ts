import type { S3StorageSettings } from "../../../config/index.ts";
import type { FileKey } from "../../keys/file-key.ts";
import { thumbnailFolder } from "../../keys/thumbnail-key.ts";
import type {
  ByteRange,
  FileInfo,
  FilePage,
  FileStore,
  KeptFile,
  ListRequest,
  OpenFile,
  StagedFile,
  StoredKey,
} from "../file-store.ts";
import { purgeStagingFolder } from "../staging-folder.ts";
import { ProviderSilence, withinIdle } from "./idle-deadline.ts";
import { keepAt, newPlace, removeBelow, restoreFrom } from "./kept-objects.ts";
import { objectContent } from "./object-content.ts";
import { headOf, ifPresent } from "./object-head.ts";
import { fileInfo, totalSize } from "./object-info.ts";
import { listFiles } from "./object-list.ts";
import { purgeBucket } from "./purge-bucket.ts";
import { connectS3, type S3Connection } from "./s3-connection.ts";
import { saidIn } from "./s3-failure.ts";
import { S3Session } from "./s3-session.ts";
import { markOf, type PartSizes, StagedUpload } from "./staged-upload.ts";

export interface S3StoreOptions {
  readonly settings: S3StorageSettings;
  /** How long S3 may neither answer nor take bytes. */
  readonly idleMs?: number;
  readonly sizes?: PartSizes;
}

/** How long S3, once it was silent, may be so before what it may have stored is left there. */
const withdrawalMs = 5_000;

const megabyte = 1024 * 1024;
const usualSizes = { threshold: 16 * megabyte, part: 8 * megabyte, copy: 512 * megabyte };

/** Files in a bucket, by the SDK, which begins to load with the store. */
export class S3Store implements FileStore {
  readonly stagingFolder: string;
  readonly servedLinks = null;
  readonly #connection: Promise<S3Connection>;
  readonly #idleMs: number;
  readonly #sizes: PartSizes;
  /** What failed uploads take back now, by key. */
  readonly #withdrawals = new Map<StoredKey, Promise<void>>();

  constructor({ settings, idleMs = 30_000, sizes = usualSizes }: S3StoreOptions) {
    this.stagingFolder = settings.stagingFolder;
    this.#idleMs = idleMs;
    this.#sizes = sizes;
    this.#connection = connectS3(settings);
    // Whoever needs it is told.
    this.#connection.catch(() => {});
  }

  publicBaseUrl(): Promise<string> {
    return this.#within((session) => session.request("link", () => session.connection.links.baseUrl()));
  }

  async put(key: StoredKey, file: StagedFile, { overwrite }: { readonly overwrite: boolean }): Promise<void> {
    await this.#withdrawals.get(key);
    const upload = new StagedUpload({ key, file, overwrite, sizes: this.#sizes });
    try {
      await this.#within((session) => upload.send(session));
    } catch (error) {
      const withdrawal = this.#withdraw(key, upload, error);
      // The caller of a silent provider has waited long enough.
      if (!(error instanceof ProviderSilence)) await withdrawal;
      throw error;
    }
  }

  /** The next upload at the key waits for it, so a silent provider has less time than usual. */
  async #withdraw(key: StoredKey, upload: StagedUpload, error: unknown): Promise<void> {
    const patienceMs = error instanceof ProviderSilence ? Math.min(this.#idleMs, withdrawalMs) : this.#idleMs;
    const withdrawal = this.#within((session) => upload.withdraw(session), patienceMs).catch(() => {});
    this.#withdrawals.set(key, withdrawal);
    await withdrawal;
    if (this.#withdrawals.get(key) === withdrawal) this.#withdrawals.delete(key);
  }

  async versionOf(file: StagedFile): Promise<string> {
    return markOf(file);
  }

  head(key: StoredKey): Promise<FileInfo | null> {
    return this.#within((session) => this.#head(session, key));
  }

  async get(key: StoredKey, range?: ByteRange): Promise<OpenFile | null> {
    return this.#within(async (session) => {
      const { client, sdk } = session.connection;
      const bytes = range !== undefined && { Range: `bytes=${range.start}-${range.end}` };
      const input = { ...session.place(key), ...bytes };
      const answer = await ifPresent(
        session.request("GetObject", (options) => client.send(new sdk.GetObjectCommand(input), options)),
      );
      if (answer === null) return null;
      const length = saidIn("GetObject", "ContentLength", answer.ContentLength);
      const info = fileInfo("GetObject", answer, totalSize(answer, range));
      return { ...info, content: objectContent(answer.Body, length, this.#idleMs) };
    });
  }

  async remove(key: StoredKey): Promise<boolean> {
    return this.#within(async (session) => {
      // S3 does not say whether there was one.
      if ((await this.#head(session, key)) === null) return false;
      const { client, sdk } = session.connection;
      await session.request("DeleteObject", (options) =>
        client.send(new sdk.DeleteObjectCommand(session.place(key)), options),
      );
      return true;
    });
  }

  async removeThumbnails(key: FileKey): Promise<void> {
    await this.#within((session) => removeBelow(session, thumbnailFolder(key)));
  }

  list(request: ListRequest): Promise<FilePage> {
    return this.#within((session) => listFiles(session, request));
  }

  sign(key: StoredKey, expiresSeconds: number): Promise<string> {
    return this.#within((session) =>
      session.request("link", () => session.connection.links.sign(key, expiresSeconds)),
    );
  }

  async keep(key: FileKey): Promise<KeptFile | null> {
    const place = newPlace();
    try {
      return await this.#within((session) => keepAt(session, { key, place }, this.#sizes.copy));
    } catch (error) {
      // Nobody else has anything at this place.
      const forgotten = this.forget({ place }).catch(() => {});
      if (!(error instanceof ProviderSilence)) await forgotten;
      throw error;
    }
  }

  async restore(kept: KeptFile): Promise<void> {
    await this.#within((session) => restoreFrom(session, kept, this.#sizes.copy));
  }

  async forget({ place }: Pick<KeptFile, "place">): Promise<void> {
    await this.#within((session) => removeBelow(session, place));
  }

  async purge(before: Date): Promise<number> {
    const staged = await purgeStagingFolder(this.stagingFolder, before);
    return staged + (await this.#within((session) => purgeBucket(session, before)));
  }

  async #within<Value>(work: (session: S3Session) => Promise<Value>, idleMs = this.#idleMs): Promise<Value> {
    // What loads here is not the silence of somebody else.
    const connection = await this.#connection;
    return withinIdle(idleMs, (deadline) => work(new S3Session(connection, deadline)));
  }

  async #head(session: S3Session, key: StoredKey): Promise<FileInfo | null> {
    const answer = await headOf(session, key);
    if (answer === null) return null;
    return fileInfo("HeadObject", answer, saidIn("HeadObject", "ContentLength", answer.ContentLength));
  }
}
