import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ServiceError } from "../../../core/errors/index.ts";
import { type ContentKind, ContentProbe, zipType, zipTypeOf } from "../content/media-type.ts";
import { storageError, withStorageErrors } from "../storage-error.ts";
import { makeFolder, withDiskTimeout } from "../stores/disk.ts";

/** A received file in the staging folder, until it is stored or its owner removes it. */
export interface IncomingFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly kind: ContentKind;
}

export interface ReceiveOptions {
  /** The staging folder of the store. */
  readonly folder: string;
  /** Limit in bytes. */
  readonly limit: number;
}

/**
 * Writes a stream to a staged file, and removes the file on error. Errors: 413 `HTTP_ERROR`, `STORAGE_ERROR`,
 * and those of the stream.
 */
export async function receiveFile(
  content: Readable,
  { folder, limit }: ReceiveOptions,
): Promise<IncomingFile> {
  const path = stagingPath(folder);
  const probe = new ContentProbe();
  let size = 0;
  const writer = new StagedWriter(path, (chunk) => {
    size += chunk.length;
    if (size > limit) throw tooLarge(limit);
    probe.take(chunk);
  });
  try {
    await pipeline(content, writer);
    const kind = await probe.end();
    return { path, size, kind: kind.magic === zipType ? await archiveKind(path, kind) : kind };
  } catch (error) {
    // A file that is still being opened would appear after its removal.
    if (!writer.closed) await new Promise((resolve) => writer.once("close", resolve));
    await discard(path);
    throw error;
  }
}

/** The exact type of an archive, which its first bytes do not show. */
async function archiveKind(path: string, kind: ContentKind): Promise<ContentKind> {
  const file = await withStorageErrors(withDiskTimeout(open(path)));
  try {
    return { ...kind, magic: await withStorageErrors(withDiskTimeout(zipTypeOf(file))) };
  } finally {
    await file.close();
  }
}

/** A new path in the staging folder. */
export function stagingPath(folder: string): string {
  return join(folder, randomUUID());
}

/** Removes a staged file if it exists. After a failure the purge removes it. */
export async function discard(path: string): Promise<void> {
  await withDiskTimeout(unlink(path)).catch(() => {});
}

/** The service drops the rest of the body and closes the connection. */
export function tooLarge(limit: number): ServiceError {
  return new ServiceError("HTTP_ERROR", `The file is larger than ${limit} bytes.`, undefined, {
    status: 413,
    headers: { Connection: "close" },
  });
}

/** File data from the app: bytes, text as UTF-8, or a stream of either. */
export type FileData = Uint8Array | string | Readable;

/** Receives the app's data. Errors: those of `receiveFile`; `TypeError` for chunks of other types. */
export async function receiveData(data: FileData, options: ReceiveOptions): Promise<IncomingFile> {
  return receiveFile(Readable.from(bytesOf(data), { objectMode: false }), options);
}

/** Checked here, because a wrong chunk in a Writable would crash the process. */
async function* bytesOf(data: FileData): AsyncGenerator<Uint8Array> {
  for await (const chunk of data instanceof Readable ? data : [data]) {
    if (typeof chunk === "string") yield Buffer.from(chunk);
    else if (chunk instanceof Uint8Array) yield chunk;
    else throw new TypeError("a file must be bytes, a string or a stream of these");
  }
}

type Done = (error?: Error | null) => void;

/** Only the user of the service can read stored files. */
export const stagedMode = 0o600;

/** Buffered bytes before the source pauses. */
const highWaterMark = 256 * 1024;
/** Bytes per write. A write of a single socket chunk takes as long, so chunks are collected. */
const bytesPerWrite = 256 * 1024;
/** Small chunks use more memory than their bytes. */
const maxBufferedChunks = 64;

/** Writes a new file and its folder. Error: `STORAGE_ERROR` if the disk fails. */
class StagedWriter extends Writable {
  readonly #path: string;
  readonly #inspect: (chunk: Buffer) => void;
  #file: FileHandle | null = null;
  /** Not yet written. */
  #buffered: Buffer[] = [];
  #bufferedBytes = 0;
  /** The last write. */
  #lastCall: Promise<unknown> = Promise.resolve();

  /** `inspect` gets each chunk before it is written; its errors end the stream. */
  constructor(path: string, inspect: (chunk: Buffer) => void) {
    super({ highWaterMark });
    this.#path = path;
    this.#inspect = inspect;
  }

  override _construct(done: Done): void {
    this.#inTime(this.#open()).then(() => done(), done);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this._writev([{ chunk }], done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    try {
      for (const { chunk } of chunks) this.#buffer(chunk);
    } catch (error) {
      done(storageError(error));
      return;
    }
    const isEnough = this.#bufferedBytes >= bytesPerWrite || this.#buffered.length >= maxBufferedChunks;
    if (isEnough) this.#writeBuffered().then(() => done(), done);
    else done();
  }

  override _final(done: Done): void {
    this.#writeBuffered().then(() => done(), done);
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#buffered = [];
    // A late write could reach another file with a reused descriptor.
    const closing = this.#lastCall.then(() => this.#file?.close());
    withStorageErrors(withDiskTimeout(closing)).then(
      () => done(error),
      (problem: Error) => done(error ?? problem),
    );
  }

  #inTime<Value>(call: Promise<Value>): Promise<Value> {
    this.#lastCall = call.catch(() => {});
    return withStorageErrors(withDiskTimeout(call));
  }

  async #open(): Promise<void> {
    const create = () => open(this.#path, "wx", stagedMode);
    this.#file = await create().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      await makeFolder(dirname(this.#path));
      return create();
    });
  }

  #buffer(chunk: Buffer): void {
    this.#inspect(chunk);
    this.#buffered.push(chunk);
    this.#bufferedBytes += chunk.length;
  }

  async #writeBuffered(): Promise<void> {
    let left: readonly Buffer[] = this.#buffered;
    this.#buffered = [];
    this.#bufferedBytes = 0;
    // A nearly full disk writes a part, and fails at the next write.
    while (left.length > 0 && this.#file !== null && !this.destroyed) {
      const { bytesWritten } = await this.#inTime(this.#file.writev(left));
      left = withoutFirst(left, bytesWritten);
    }
  }
}

/** The chunks without their first bytes. */
function withoutFirst(chunks: readonly Buffer[], bytes: number): readonly Buffer[] {
  let left = bytes;
  return chunks.flatMap((chunk) => {
    const rest = chunk.subarray(Math.min(left, chunk.length));
    left -= chunk.length - rest.length;
    return rest.length === 0 ? [] : [rest];
  });
}
