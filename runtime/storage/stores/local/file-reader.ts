import type { FileHandle } from "node:fs/promises";
import { fileNameOf } from "../../keys/file-key.ts";
import { answered, type FileState, fileAt, openToRead } from "../disk.ts";
import type { ByteRange, FileInfo, OpenFile, StoredKey } from "../file-store.ts";
import { FileContent } from "./file-content.ts";
import { KnownMediaTypes } from "./known-media-types.ts";
import type { RootFolder } from "./root-folder.ts";

/** Reads files below a root, at paths that are their keys. */
export class FileReader {
  readonly #root: RootFolder;
  readonly #types = new KnownMediaTypes();

  constructor(root: RootFolder) {
    this.#root = root;
  }

  /** Null where there is no such file. */
  async head(key: StoredKey): Promise<FileInfo | null> {
    const path = await this.#root.find(key);
    const state = path === null ? null : await fileAt(path);
    if (state === null) return null;
    const mediaType = this.#types.known(fileNameOf(key), state);
    if (mediaType !== null) return infoOf(state, mediaType);
    const opened = await this.open(key);
    if (opened === null) return null;
    const { content, ...info } = opened;
    content.destroy();
    return info;
  }

  /** Opens a file, or a part of it. Null where there is no such file. */
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
      if (content === null) await answered(file.close());
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

function infoOf(state: FileState, mediaType: string): FileInfo {
  const version = versionOf(state);
  return { size: Number(state.size), mediaType, etag: `"${version}"`, version };
}

/** What a file keeps when it is moved, and has in common with no other one. */
export function versionOf({ ino, size, mtimeNs }: FileState): string {
  return `${ino.toString(36)}-${size.toString(36)}-${mtimeNs.toString(36)}`;
}
