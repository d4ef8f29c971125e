import type { Readable } from "node:stream";
import type { Logger } from "pino";
import type { TransactionPart } from "../../core/database/index.ts";

/** What a hook has stored. */
export interface PutFile {
  url: string;
  /** The last segment of its path. */
  filename: string;
  /** In bytes. */
  size: number;
  mime_type: string;
}

/**
 * The storage module in hooks, with the service's rights (docs/storage.md#files-in-hooks). What the routes would refuse throws the same
 * `ServiceError`; where the module is off each method throws.
 */
export interface HookStorage {
  /** Stores a file, and replaces one only with `overwrite`. In a mutation a rollback removes a new file; a file is replaced after the commit. */
  put(
    path: string,
    data: string | Uint8Array | Readable,
    options?: { readonly overwrite?: boolean },
  ): Promise<PutFile>;
  /** A link, whether there is such a file or not. It lasts for `expires` seconds; below a public prefix it lasts. */
  url(path: string, options?: { readonly expires?: number }): Promise<string>;
  /** Removes a file, if there is one. In a mutation that happens after the commit, and a rollback leaves it. */
  remove(path: string, options?: { readonly with_thumbnails?: boolean }): Promise<void>;
}

/** The storage of hooks that run in a part of a transaction, or outside any, with the log of what they run for. */
export type StorageForHooks = (part: TransactionPart | null, log: Logger) => HookStorage;
