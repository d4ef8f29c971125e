import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { answered, type FileState } from "../disk.ts";
import type { ByteRange } from "../file-store.ts";

/**
 * Each read of a disk takes a turn of a thread. From twice as much on, the system gives fresh memory for each, and clearing that takes
 * as long as all the rest.
 */
const chunkBytes = 65_536;

/**
 * The bytes of an open file, or of a part of it; closes it. Fails rather than to give other bytes than those that were there when
 * it was opened.
 */
export class FileContent extends Readable {
  readonly #file: FileHandle;
  readonly #mtimeNs: bigint;
  readonly #length: number;
  #position: number;
  #left: number;

  constructor(file: FileHandle, { size, mtimeNs }: FileState, range?: ByteRange) {
    super({ highWaterMark: chunkBytes });
    const { start, end } = range ?? { start: 0, end: Number(size) - 1 };
    this.#file = file;
    this.#mtimeNs = mtimeNs;
    this.#position = start;
    this.#length = end - start + 1;
    this.#left = this.#length;
  }

  override _read(): void {
    this.#next().catch((error) => this.destroy(error));
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    answered(this.#file.close()).then(
      () => done(error),
      () => done(error),
    );
  }

  async #next(): Promise<void> {
    if (this.#left === 0) return void this.push(null);
    const length = Math.min(chunkBytes, this.#left);
    const bytes = Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await answered(this.#file.read(bytes, 0, length, this.#position));
    if (bytesRead === 0) throw new Error("the file became shorter while it was read");
    this.#position += bytesRead;
    this.#left -= bytesRead;
    // What comes in one read was looked at just now.
    if (this.#left === 0 && bytesRead < this.#length) await this.#requireUnchanged();
    this.push(bytes.subarray(0, bytesRead));
    if (this.#left === 0) this.push(null);
  }

  /** Before the last bytes go: whoever has all of them believes them. */
  async #requireUnchanged(): Promise<void> {
    const { mtimeNs } = await answered(this.#file.stat({ bigint: true }));
    if (mtimeNs !== this.#mtimeNs) throw new Error("the file was written to while it was read");
  }
}
