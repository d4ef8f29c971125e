import { close, mkdir, open, write, writev } from "node:fs";
import { dirname } from "node:path";
import { Writable } from "node:stream";
import { storageError } from "../storage-error.ts";

type Done = (error?: Error | null) => void;

/** So much waits for the disk before a stream is asked to pause; then it is written at once. */
const highWaterMark = 256 * 1024;

/** Writes a new file whose folder is made where there is none. What the disk says when it fails becomes `STORAGE_ERROR`. */
export class StagedWriter extends Writable {
  readonly #path: string;
  readonly #look: (chunk: Buffer) => void;
  #descriptor: number | null = null;

  /** `look` sees each chunk before it is written; what it throws ends the stream. */
  constructor(path: string, look: (chunk: Buffer) => void) {
    super({ highWaterMark });
    this.#path = path;
    this.#look = look;
  }

  override _construct(done: Done): void {
    const opened = (error: Error | null, descriptor?: number) => {
      this.#descriptor = descriptor ?? null;
      done(failure(error));
    };
    open(this.#path, "wx", 0o600, (error, descriptor) => {
      if (error?.code !== "ENOENT") opened(error, descriptor);
      else
        mkdir(dirname(this.#path), { recursive: true }, (problem) =>
          problem === null ? open(this.#path, "wx", 0o600, opened) : opened(problem),
        );
    });
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#writeSeen([chunk], done);
  }

  override _writev(chunks: { chunk: Buffer }[], done: Done): void {
    this.#writeSeen(
      chunks.map(({ chunk }) => chunk),
      done,
    );
  }

  override _destroy(error: Error | null, done: Done): void {
    const descriptor = this.#descriptor;
    this.#descriptor = null;
    if (descriptor === null) done(error);
    else close(descriptor, (problem) => done(error ?? failure(problem)));
  }

  #writeSeen(chunks: readonly Buffer[], done: Done): void {
    try {
      for (const chunk of chunks) this.#look(chunk);
      this.#writeAll(chunks, done);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)));
    }
  }

  /** A disk that is nearly full takes a part, and says why the next time. */
  #writeAll(chunks: readonly Buffer[], done: Done): void {
    const [first, ...more] = chunks;
    const written = (error: Error | null, bytes: number) => {
      if (error === null) this.#writeAll(behind(chunks, bytes), done);
      else done(failure(error));
    };
    if (first === undefined || this.#descriptor === null) done();
    else if (more.length === 0) write(this.#descriptor, first, written);
    else writev(this.#descriptor, chunks, written);
  }
}

function failure(error: Error | null): Error | null {
  return error === null ? null : storageError(error);
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
