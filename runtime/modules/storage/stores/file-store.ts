import type { Readable } from "node:stream";
import type { FileKey, StoredKey } from "../keys/file-key.ts";

/** A file that is here, whole, but not stored yet: in the staging folder of the store. */
export interface StagedFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly mediaType: string;
}

/** A file that a store has. */
export interface StoredFile {
  /** Differs for each file that was stored at its key, even with the same bytes. */
  readonly version: string;
}

/** What is sent with a file. */
export interface FileInfo extends StoredFile {
  /** In bytes. */
  readonly size: number;
  readonly mediaType: string;
  /** Strong, with its quotes: other bytes have another one. */
  readonly etag: string;
}

/** The first and the last byte, counted from zero. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A file that is being read. Whoever does not read `content` to its end destroys it. */
export interface OpenFile extends FileInfo {
  readonly content: Readable;
}

export interface ListedFile {
  readonly key: FileKey;
  /** In bytes. */
  readonly size: number;
}

export interface ListRequest {
  /** What the keys begin with. */
  readonly prefix: string;
  /** Keys after this one, by their UTF-8 bytes; empty: from the first. It need not exist. */
  readonly after: string;
  readonly limit: number;
}

/** Keys in the order of their UTF-8 bytes, without thumbnails and whatever has no key. */
export interface FilePage {
  readonly files: readonly ListedFile[];
  /** Whether more follow. Every page but the last is full. */
  readonly more: boolean;
}

/** A key that is taken: by a file, or on disk by a folder; or a file stands where it needs a folder. */
export class KeyConflict extends Error {
  override readonly name = "KeyConflict";
}

/** Tells the links that a store has signed from all others. */
export interface LinkCheck {
  /** `expires` is in seconds of the Unix clock. */
  accepts(key: string, expires: number, signature: string): boolean;
}

/** A store whose links lead to the service, which sends the files itself. */
export interface ServedStore {
  readonly links: LinkCheck;
  /** Null where there is no such file. */
  head(key: StoredKey): Promise<FileInfo | null>;
  /** Opens a file, or a part of it that lies within its size. Null where there is no such file. */
  get(key: StoredKey, range?: ByteRange): Promise<OpenFile | null>;
}

/**
 * Where files are kept. Each change is seen whole or not at all. A method rejects with what the provider says when it fails, or when it
 * neither answers nor takes bytes for 30 seconds, retries included; callers are told `STORAGE_ERROR`.
 */
export interface FileStore {
  /** Absolute; uploads lie there until they are stored. */
  readonly stagingFolder: string;
  /** Null where links lead to the provider. */
  readonly served: ServedStore | null;
  /** What links to public files begin with where no setting says so, without a slash at its end. */
  publicBaseUrl(): Promise<string>;
  /**
   * Stores a staged file: the file leaves the staging folder, or its owner removes it. Rejects with a `KeyConflict` if the key is taken,
   * unless `overwrite` is set; of several at once one wins. A put that fails for another reason may have stored the file.
   */
  put(key: StoredKey, file: StagedFile, options: { readonly overwrite: boolean }): Promise<void>;
  /** The version that a staged file will be, wherever it is put. */
  versionOf(file: StagedFile): Promise<string>;
  /** Null where there is no such file. */
  head(key: StoredKey): Promise<StoredFile | null>;
  /** Whether there was such a file. With a version, another file that has taken its place stays. */
  remove(key: StoredKey, version?: string): Promise<boolean>;
  /** Removes all thumbnails of a picture, whether there are any or not. */
  removeThumbnails(key: FileKey): Promise<void>;
  list(request: ListRequest): Promise<FilePage>;
  /** A link that lasts for so many seconds, whether there is such a file or not. */
  sign(key: StoredKey, expiresSeconds: number): Promise<string>;
  /** Removes what uploads left behind that began before a moment. Tells how much that was. */
  purge(before: Date): Promise<number>;
}
