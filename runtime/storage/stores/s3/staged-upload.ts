import { basename } from "node:path";
import type { Readable } from "node:stream";
import type { CompletedPart, HeadObjectCommandOutput } from "@aws-sdk/client-s3";
import { servedHeaders } from "../../content/served-headers.ts";
import { KeyConflict, type StagedFile, type StoredKey } from "../file-store.ts";
import { headOf } from "./object-head.ts";
import { markName } from "./object-info.ts";
import { PartsUpload, type PutCondition, sendAllParts } from "./parts-upload.ts";
import { S3Failure, saidIn } from "./s3-failure.ts";
import type { S3Session } from "./s3-session.ts";
import { type StagedPart, sendPart, stagedPart } from "./staged-body.ts";

/** How files are sent in parts; in bytes. */
export interface PartSizes {
  /** A file of more goes in parts. */
  readonly threshold: number;
  /** Of each part but the last; more where there would be too many. */
  readonly part: number;
  /** The same of copies, of which S3 reads the bytes itself. */
  readonly copy: number;
}

/** What is stored, and where. */
export interface UploadOrder {
  readonly key: StoredKey;
  readonly file: StagedFile;
  readonly overwrite: boolean;
  readonly sizes: PartSizes;
}

/** By which upload an object comes: the name that its file has while it is staged. */
export function markOf({ path }: StagedFile): string {
  return basename(path);
}

/** The way of one file into the bucket, which can be taken back where it fails. */
export class StagedUpload {
  readonly #order: UploadOrder;
  readonly #mark: string;
  /** While there are parts. */
  #parts: PartsUpload | null = null;
  /** Whether the request was sent that makes the object: its answer may be lost. */
  #decided = false;

  constructor(order: UploadOrder) {
    this.#order = order;
    this.#mark = markOf(order.file);
  }

  /** Stores the file. Rejects with a `KeyConflict` where the key is taken and may not be overwritten. */
  async send(session: S3Session): Promise<void> {
    try {
      // Of two that are under way S3 may ask one to send it all again.
      await session.repeat(
        () => this.#sendOnce(session),
        ({ contested }) => contested,
      );
    } catch (error) {
      if (!(error instanceof S3Failure)) throw error;
      // The first attempt succeeded, and its answer was lost: it is this upload that stands in its own way.
      if ((error.taken || error.absent) && (await this.#markThere(session)) === this.#mark) return;
      if (!error.taken && !error.contested) throw error;
      this.#decided = false;
      throw new KeyConflict(`${this.#order.key} is taken`, { cause: error });
    }
  }

  /**
   * Takes back what a failure has left: parts, and an object that S3 has stored without saying so, where that is still the one that this
   * upload made. Where it may overwrite, whoever kept what was there looks after that.
   */
  async withdraw(session: S3Session): Promise<void> {
    // Parts that stay are seen by nobody, and are for the purge.
    await this.#abort(session).catch(() => {});
    if (this.#order.overwrite || !this.#decided) return;
    const object = await headOf(session, this.#order.key);
    if (object === null || markIn(object) !== this.#mark) return;
    const { client, sdk } = session.connection;
    // Another process may have put its own there by the time S3 comes to it. A provider that knows no such condition does as ever.
    const input = { ...session.place(this.#order.key), IfMatch: object.ETag };
    await session.request("DeleteObject", (options) =>
      client.send(new sdk.DeleteObjectCommand(input), options),
    );
  }

  async #sendOnce(session: S3Session): Promise<void> {
    const { key, file, overwrite, sizes } = this.#order;
    if (file.size <= sizes.threshold) return this.#sendWhole(session);
    await this.#abort(session);
    // S3 would say so when all parts are there.
    if (!overwrite && (await this.#markThere(session)) !== null) throw new KeyConflict(`${key} is taken`);
    await this.#sendInParts(session);
  }

  async #sendWhole(session: S3Session): Promise<void> {
    const { client, sdk } = session.connection;
    const { path, size } = this.#order.file;
    const whole = await stagedPart(path, 0, size);
    const input = { ...session.place(this.#order.key), ...this.#headers(), ...this.#condition() };
    this.#decided = true;
    await sendPart(session, whole, async (attempt, body) => {
      const answer = await attempt.request("PutObject", (options) =>
        client.send(new sdk.PutObjectCommand({ ...input, ...content(whole, body) }), options),
      );
      requireStored("PutObject", whole, answer);
    });
  }

  async #sendInParts(session: S3Session): Promise<void> {
    const { key, file, sizes } = this.#order;
    const input = { Key: key, ...this.#headers(), ChecksumAlgorithm: "CRC32" as const };
    const upload = await PartsUpload.begin(session, input);
    this.#parts = upload;
    const whole = { size: file.size, partSize: sizes.part };
    const parts = await sendAllParts(session, whole, async (group, { number, offset, size }) =>
      sendFilePart(group, upload, number, await stagedPart(file.path, offset, size)),
    );
    this.#decided = true;
    await upload.complete(session, parts, this.#condition());
    this.#parts = null;
  }

  async #abort(session: S3Session): Promise<void> {
    await this.#parts?.abort(session);
    this.#parts = null;
  }

  /** By which upload the object came that stands at the key; empty where it came by another way. Null where there is none. */
  async #markThere(session: S3Session): Promise<string | null> {
    const object = await headOf(session, this.#order.key);
    return object === null ? null : markIn(object);
  }

  #headers() {
    const { key, file } = this.#order;
    const { contentType, disposition } = servedHeaders({ key, mediaType: file.mediaType });
    return {
      ContentType: contentType,
      ContentDisposition: disposition,
      Metadata: { [markName]: this.#mark },
    };
  }

  #condition(): PutCondition {
    return this.#order.overwrite ? {} : { IfNoneMatch: "*" };
  }
}

function markIn({ Metadata }: HeadObjectCommandOutput): string {
  return Metadata?.[markName] ?? "";
}

function sendFilePart(
  session: S3Session,
  { place }: PartsUpload,
  number: number,
  part: StagedPart,
): Promise<CompletedPart> {
  const { client, sdk } = session.connection;
  return sendPart(session, part, async (attempt, body) => {
    const input = { ...place, PartNumber: number, ...content(part, body) };
    const answer = await attempt.request("UploadPart", (options) =>
      client.send(new sdk.UploadPartCommand(input), options),
    );
    return { ETag: requireStored("UploadPart", part, answer), ChecksumCRC32: part.crc32 };
  });
}

function content({ size, crc32 }: StagedPart, body: Readable | Buffer) {
  return { Body: body, ContentLength: size, ChecksumCRC32: crc32 };
}

/** The ETag of what was stored. Rejects an answer that speaks of other bytes. */
function requireStored(
  operation: string,
  { crc32 }: StagedPart,
  answer: { readonly ETag?: string | undefined; readonly ChecksumCRC32?: string | undefined },
): string {
  if (answer.ChecksumCRC32 !== undefined && answer.ChecksumCRC32 !== crc32)
    throw new S3Failure(operation, { code: "BadDigest", status: 200, message: "stored other bytes" });
  return saidIn(operation, "ETag", answer.ETag);
}
