import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";
import { BoundedCache } from "../../../../core/concurrency/index.ts";
import { ContentProbe, mediaTypeNamed, zipType, zipTypeOf } from "../../content/media-type.ts";
import { fileNameOf, type StoredKey } from "../../keys/file-key.ts";
import { type FileState, openToRead, statFile, withDiskTimeout } from "../disk.ts";
import type { ByteRange, FileInfo, OpenFile } from "../file-store.ts";
import type { RootFolder } from "./root-folder.ts";

/** Reads files below a root, at their keys as paths. */
export class FileReader {
  readonly #root: RootFolder;
  readonly #types = new MediaTypeCache();

  constructor(root: RootFolder) {
    this.#root = root;
  }

  /** Null if the file does not exist. */
  async head(key: StoredKey): Promise<FileInfo | null> {
    const path = await this.#root.find(key);
    const state = path === null ? null : await statFile(path);
    if (state === null) return null;
    const mediaType = this.#types.known(fileNameOf(key), state);
    if (mediaType !== null) return infoOf(state, mediaType);
    const opened = await this.open(key);
    if (opened === null) return null;
    const { content, ...info } = opened;
    content.destroy();
    return info;
  }

  /** Opens a file or a range. Null if the file does not exist. */
  async open(key: StoredKey, range?: ByteRange): Promise<OpenFile | null> {
    const path = await this.#root.pathOf(key);
    const file = path === null ? null : await openToRead(path);
    if (path === null || file === null) return null;
    let content: FileContent | null = null;
    try {
      const state = await this.#stateOf(path, file);
      if (state === null) return null;
      const info = infoOf(state, await this.#types.find(file, fileNameOf(key), state));
      content = new FileContent(file, state, range);
      return { ...info, content };
    } finally {
      if (content === null) await withDiskTimeout(file.close());
    }
  }

  /** Null if it is not a regular file, or was reached through a link. */
  async #stateOf(path: string, file: FileHandle): Promise<FileState | null> {
    const [state, isBelowRoot] = await Promise.all([
      withDiskTimeout(file.stat({ bigint: true })),
      this.#root.hasRealFolder(path),
    ]);
    return isBelowRoot && state.isFile() ? state : null;
  }
}

function infoOf(state: FileState, mediaType: string): FileInfo {
  const version = versionOf(state);
  return { size: Number(state.size), mediaType, etag: `"${version}"`, version };
}

/** Survives a move and differs from every other file. */
export function versionOf({ ino, size, mtimeNs }: FileState): string {
  return `${ino.toString(36)}-${size.toString(36)}-${mtimeNs.toString(36)}`;
}

/** Larger chunks need fewer reads, but from 128 KiB on, the system clears new memory for each read. */
const chunkBytes = 65_536;

/** Bytes of a file or range; closes the file. Fails if the file changed after it was opened. */
class FileContent extends Readable {
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
    withDiskTimeout(this.#file.close()).then(
      () => done(error),
      () => done(error),
    );
  }

  async #next(): Promise<void> {
    if (this.#left === 0) return void this.push(null);
    const length = Math.min(chunkBytes, this.#left);
    const bytes = Buffer.allocUnsafeSlow(length);
    const { bytesRead } = await withDiskTimeout(this.#file.read(bytes, 0, length, this.#position));
    if (bytesRead === 0) throw new Error("the file became shorter while it was read");
    this.#position += bytesRead;
    this.#left -= bytesRead;
    // The file was just opened if a single read returned all bytes.
    if (this.#left === 0 && bytesRead < this.#length) await this.#requireUnchanged();
    this.push(bytes.subarray(0, bytesRead));
    if (this.#left === 0) this.push(null);
  }

  /** Called before the last bytes are sent, so that a mixed content is never a complete response. */
  async #requireUnchanged(): Promise<void> {
    const { mtimeNs } = await withDiskTimeout(this.#file.stat({ bigint: true }));
    if (mtimeNs !== this.#mtimeNs) throw new Error("the file was written to while it was read");
  }
}

/** Caches media types, because the detection of text reads the whole file. */
class MediaTypeCache {
  readonly #known = new BoundedCache<{ readonly mediaType: string }>({ entries: 20_000 });
  readonly #pending = new Map<string, Promise<string>>();

  /** Type of a file in this state. Null if it is not cached. */
  known(name: string, state: FileState): string | null {
    return this.#known.get(identityOf(name, state))?.mediaType ?? null;
  }

  /** Type of an open file in this state. Concurrent calls share one read. */
  async find(file: FileHandle, name: string, state: FileState): Promise<string> {
    const known = this.known(name, state);
    if (known !== null) return known;
    const identity = identityOf(name, state);
    const detection = this.#pending.get(identity) ?? this.#detect(file, name, identity);
    this.#pending.set(identity, detection);
    try {
      return await detection;
    } finally {
      this.#pending.delete(identity);
    }
  }

  async #detect(file: FileHandle, name: string, identity: string): Promise<string> {
    const mediaType = await mediaTypeOf(file, name);
    const after = await withDiskTimeout(file.stat({ bigint: true }));
    if (identityOf(name, after) === identity) this.#known.add(identity, { mediaType });
    return mediaType;
  }
}

/** Changes after each write, rename or link. Contains the extension, which decides the type of a text. */
function identityOf(name: string, { dev, ino, size, mtimeNs, ctimeNs }: FileState): string {
  return `${dev} ${ino} ${size} ${mtimeNs} ${ctimeNs} ${name.slice(name.lastIndexOf(".") + 1)}`;
}

/** Media type of an open file. For most binary files, only the beginning is read. */
export async function mediaTypeOf(file: FileHandle, name: string): Promise<string> {
  const probe = new ContentProbe();
  for (let position = 0; ; ) {
    const { bytesRead, buffer } = await withDiskTimeout(
      file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, position),
    );
    position += bytesRead;
    if (bytesRead === 0 || !probe.take(buffer.subarray(0, bytesRead))) break;
  }
  const kind = await probe.end();
  const magic = kind.magic === zipType ? await withDiskTimeout(zipTypeOf(file)) : kind.magic;
  return mediaTypeNamed({ ...kind, magic }, name);
}
