import type { FileHandle } from "node:fs/promises";
import { fileNameOf } from "../../keys/file-key.ts";
import type { ByteRange, FileInfo, OpenFile, StoredKey } from "../file-store.ts";
import { answered, type FileState, fileAt, openToRead } from "./disk.ts";
import { FileContent } from "./file-content.ts";
import { KnownMediaTypes } from "./known-media-types.ts";
import type { RootFolder } from "./root-folder.ts";

/** As often a file may be replaced while its type is sought. */
const mostAttempts = 3;

/** Reads files below a root, of which their paths are the keys. */
export class FileReader {
  readonly #root: RootFolder;
  readonly #types = new KnownMediaTypes();

  constructor(root: RootFolder) {
    this.#root = root;
  }

  /** Null where there is no such file. */
  async head(key: StoredKey): Promise<FileInfo | null> {
    for (let attempt = 1; ; attempt++) {
      const path = await this.#root.find(key);
      const state = path === null ? null : await fileAt(path);
      if (path === null || state === null) return null;
      const mediaType = await this.#types.of(path, fileNameOf(key), state);
      if (mediaType !== null || attempt === mostAttempts) return infoOf(state, mediaType);
    }
  }

  /** Opens a file, or a part of it. Null where there is no such file. */
  async open(key: StoredKey, range?: ByteRange): Promise<OpenFile | null> {
    for (let attempt = 1; ; attempt++) {
      const path = await this.#root.pathOf(key);
      const file = path === null ? null : await openToRead(path);
      if (path === null || file === null) return null;
      let content: FileContent | null = null;
      try {
        const state = await this.#stateOf(path, file);
        if (state === null) return null;
        const mediaType = await this.#types.of(path, fileNameOf(key), state);
        if (mediaType === null && attempt < mostAttempts) continue;
        content = new FileContent(file, state, range);
        return { ...infoOf(state, mediaType), content };
      } finally {
        if (content === null) await answered(file.close());
      }
    }
  }

  /** Null for what is no file, or was reached through a link. */
  async #stateOf(path: string, file: FileHandle): Promise<FileState | null> {
    const [state, isBelowRoot] = await Promise.all([
      answered(file.stat({ bigint: true })),
      this.#root.hasRealFolder(path),
    ]);
    return isBelowRoot && state.isFile() ? state : null;
  }
}

function infoOf({ ino, size, mtimeNs }: FileState, mediaType: string | null): FileInfo {
  return {
    size: Number(size),
    mediaType: mediaType ?? "application/octet-stream",
    etag: `"${ino.toString(36)}-${size.toString(36)}-${mtimeNs.toString(36)}"`,
  };
}
