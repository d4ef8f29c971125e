import { randomUUID } from "node:crypto";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ServiceError } from "../../../core/errors/index.ts";
import { type ContentKind, ContentProbe, zipType, zipTypeOf } from "../content/media-type.ts";
import { ofStore, storageError } from "../storage-error.ts";
import { answered, makeFolder } from "../stores/disk.ts";

/** A file that came in whole, and lies in the staging folder until it is stored or its owner removes it. */
export interface IncomingFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly kind: ContentKind;
}

export interface ReceiveOptions {
  /** The staging folder of the store. */
  readonly folder: string;
  /** Most bytes. */
  readonly limit: number;
}

/**
 * Receives a stream of bytes as a file; memory does not grow with it. Whatever fails leaves nothing behind. Errors: 413 `HTTP_ERROR`
 * over the limit, `STORAGE_ERROR` where the disk fails, and what the stream itself fails with.
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
    // One that is still being opened would be made after it was removed.
    if (!writer.closed) await new Promise((resolve) => writer.once("close", resolve));
    await discard(path);
    throw error;
  }
}

/** What an archive is, of which the first bytes do not tell more. */
async function archiveKind(path: string, kind: ContentKind): Promise<ContentKind> {
  const file = await ofStore(answered(open(path)));
  try {
    return { ...kind, magic: await ofStore(answered(zipTypeOf(file))) };
  } finally {
    await file.close();
  }
}

/** A new name in the staging folder. */
export function stagingPath(folder: string): string {
  return join(folder, randomUUID());
}

/** Removes a staged file, if it is there. What cannot be removed now is left to the purge. */
export async function discard(path: string): Promise<void> {
  await answered(unlink(path)).catch(() => {});
}

/** The rest is dropped, and the connection ends. */
export function tooLarge(limit: number): ServiceError {
  return new ServiceError("HTTP_ERROR", `The file is larger than ${limit} bytes.`, undefined, {
    status: 413,
    headers: { Connection: "close" },
  });
}

/** What code of the app hands over as a file: bytes, a text in UTF-8, or a stream of either. */
export type FileData = Uint8Array | string | Readable;

/** Receives what code of the app hands over, as `receiveFile` does. Error: a `TypeError` for chunks that are neither bytes nor text. */
export async function receiveData(data: FileData, options: ReceiveOptions): Promise<IncomingFile> {
  return receiveFile(Readable.from(bytesOf(data), { objectMode: false }), options);
}

/** Checked here: a stream to which something else is written ends the process. */
async function* bytesOf(data: FileData): AsyncGenerator<Uint8Array> {
  for await (const chunk of data instanceof Readable ? data : [data]) {
    if (typeof chunk === "string") yield Buffer.from(chunk);
    else if (chunk instanceof Uint8Array) yield chunk;
    else throw new TypeError("a file must be bytes, a text, or a stream of these");
  }
}

type Done = (error?: Error | null) => void;

/** Of all users of the machine, that of the service alone reads what is stored. */
export const stagedMode = 0o600;

/** So much waits for the disk before a stream is asked to pause; then it is written at once. */
const highWaterMark = 256 * 1024;
/** So much is gathered for one call to the disk, which takes as long as writing what a socket brings at once. */
const gatheredBytes = 256 * 1024;
/** A client may send single bytes, which take more memory than they have. */
const mostGathered = 64;

/** Writes a new file whose folder is made where there is none. Fails with `STORAGE_ERROR` where the disk does. */
class StagedWriter extends Writable {
  readonly #path: string;
  readonly #look: (chunk: Buffer) => void;
  #file: FileHandle | null = null;
  /** What the disk has not been given yet. */
  #gathered: Buffer[] = [];
  #gatheredBytes = 0;
  /** What the disk was asked last. */
  #asked: Promise<unknown> = Promise.resolve();

  /** `look` sees each chunk before it is written; what it throws ends the stream. */
  constructor(path: string, look: (chunk: Buffer) => void) {
    super({ highWaterMark });
    this.#path = path;
    this.#look = look;
  }

  override _construct(done: Done): void {
    this.#inTime(this.#open()).then(() => done(), done);
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this._writev([{ chunk }], done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    try {
      for (const { chunk } of chunks) this.#gather(chunk);
    } catch (error) {
      done(storageError(error));
      return;
    }
    const isEnough = this.#gatheredBytes >= gatheredBytes || this.#gathered.length >= mostGathered;
    if (isEnough) this.#writeGathered().then(() => done(), done);
    else done();
  }

  override _final(done: Done): void {
    this.#writeGathered().then(() => done(), done);
  }

  override _destroy(error: Error | null, done: Done): void {
    this.#gathered = [];
    // What is still to be written would go to whatever file has the same number by then.
    const closing = this.#asked.then(() => this.#file?.close());
    ofStore(answered(closing)).then(
      () => done(error),
      (problem: Error) => done(error ?? problem),
    );
  }

  #inTime<Value>(call: Promise<Value>): Promise<Value> {
    this.#asked = call.catch(() => {});
    return ofStore(answered(call));
  }

  async #open(): Promise<void> {
    const create = () => open(this.#path, "wx", stagedMode);
    this.#file = await create().catch(async (error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error;
      await makeFolder(dirname(this.#path));
      return create();
    });
  }

  #gather(chunk: Buffer): void {
    this.#look(chunk);
    this.#gathered.push(chunk);
    this.#gatheredBytes += chunk.length;
  }

  async #writeGathered(): Promise<void> {
    let left: readonly Buffer[] = this.#gathered;
    this.#gathered = [];
    this.#gatheredBytes = 0;
    // A disk that is nearly full takes a part, and says why the next time.
    while (left.length > 0 && this.#file !== null && !this.destroyed) {
      const { bytesWritten } = await this.#inTime(this.#file.writev(left));
      left = behind(left, bytesWritten);
    }
  }
}

/** What of the chunks comes behind so many bytes. */
function behind(chunks: readonly Buffer[], bytes: number): readonly Buffer[] {
  let left = bytes;
  return chunks.flatMap((chunk) => {
    const rest = chunk.subarray(Math.min(left, chunk.length));
    left -= chunk.length - rest.length;
    return rest.length === 0 ? [] : [rest];
  });
}
