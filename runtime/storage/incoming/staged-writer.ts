import { type FileHandle, open } from "node:fs/promises";
import { dirname } from "node:path";
import { Writable } from "node:stream";
import { ofStore, storageError } from "../storage-error.ts";
import { answered, makeFolder } from "../stores/disk.ts";

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
export class StagedWriter extends Writable {
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
