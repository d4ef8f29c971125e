import type { Readable } from "node:stream";
import type { StoredKey } from "../keys/file-key.ts";

/** A complete file in the store's staging folder, not stored yet. */
export interface StagedFile {
  readonly path: string;
  /** In bytes. */
  readonly size: number;
  readonly mediaType: string;
}

export interface StoredFile {
  /** Differs for each stored file, even with the same key and bytes. */
  readonly version: string;
  /** In bytes. */
  readonly size: number;
  readonly mediaType: string;
}

export interface FileInfo extends StoredFile {
  /** Strong ETag with quotes, by content. */
  readonly etag: string;
}

/** First and last byte, inclusive, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** An open file. The caller reads `content` to its end or destroys it. */
export interface OpenFile extends FileInfo {
  readonly content: Readable;
}

export interface ListedFile {
  /** Of a thumbnail only if the request includes them. */
  readonly key: StoredKey;
  /** In bytes. */
  readonly size: number;
}

export interface ListRequest {
  /** Prefix of the keys. */
  readonly prefix: string;
  /** Keys after this one, by UTF-8 bytes; empty: from the first. It need not exist. */
  readonly after: string;
  readonly limit: number;
  /** Also lists thumbnails. */
  readonly withThumbnails?: boolean;
}

/** Keys by UTF-8 bytes, without objects with invalid keys. */
export interface FilePage {
  readonly files: readonly ListedFile[];
  /** Whether more keys follow. Only the last page can be shorter than the limit. */
  readonly more: boolean;
}

/** A file that could not be removed. */
export interface FailedRemoval {
  readonly key: string;
  readonly cause: unknown;
}

/** The key is taken by a file. On disk, it can also be a folder, or a parent folder can be a file. */
export class KeyConflict extends Error {
  override readonly name = "KeyConflict";
}

/** Checks signatures of the store's links. */
export interface LinkCheck {
  /** `expires` is in seconds since 1970. */
  accepts(key: string, expires: number, signature: string): boolean;
}

/** A store whose links lead to the service. */
export interface ServedStore {
  readonly links: LinkCheck;
  /** Null if the file does not exist. */
  head(key: StoredKey): Promise<FileInfo | null>;
  /** Opens a file or a range within its size. Null if the file does not exist. */
  get(key: StoredKey, range?: ByteRange): Promise<OpenFile | null>;
}

/**
 * Stores files; changes are atomic. Methods reject if the provider fails or does not respond for 30 seconds, or
 * 5 minutes while S3 copies a file.
 */
export interface FileStore {
  /** Absolute; uploads stay there until they are stored. */
  readonly stagingFolder: string;
  /** Null if links lead to the provider. */
  readonly served: ServedStore | null;
  /** Default base URL of links to public files, without a trailing slash. */
  publicBaseUrl(): Promise<string>;
  /** Stores a staged file. Rejects with `KeyConflict` if the key is taken; other errors can leave it stored. */
  put(key: StoredKey, file: StagedFile, options: { readonly overwrite: boolean }): Promise<void>;
  /** The version that a staged file gets when it is stored. */
  versionOf(file: StagedFile): Promise<string>;
  /** Null if the file does not exist. */
  head(key: StoredKey): Promise<StoredFile | null>;
  /**
   * Moves a file; returns whether it existed. On S3 both files can exist until the old one is removed, and if that
   * fails. Rejects with `KeyConflict` if the new key is taken.
   */
  move(from: StoredKey, to: StoredKey, options: { readonly overwrite: boolean }): Promise<boolean>;
  /** Removes a file, with `version` only that version. Returns whether the file existed. */
  remove(key: StoredKey, version?: string): Promise<boolean>;
  /** Removes at most `mostRemovals` files, in this order on disk. Returns those that could not be removed. */
  removeAll(keys: readonly StoredKey[]): Promise<readonly FailedRemoval[]>;
  /** Removes all files and thumbnails below a folder, which ends with a slash, if it exists. */
  removeBelow(folder: string): Promise<void>;
  list(request: ListRequest): Promise<FilePage>;
  /** A link that expires after `expiresSeconds`. The file need not exist. */
  sign(key: StoredKey, expiresSeconds: number): Promise<string>;
  /** Removes leftovers of uploads that began before a moment. Returns their number. */
  purge(before: Date): Promise<number>;
}
