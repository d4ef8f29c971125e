import type { KeyObject } from "node:crypto";
import type { StorageSettings } from "../../config/index.ts";
import type { FileStore } from "./file-store.ts";

export interface StoreOptions {
  readonly settings: StorageSettings;
  /** Where the routes of storage are, without a slash at the end: links to local files lead there. */
  readonly address: string;
  /** What the key that signs links to local files is derived from. */
  readonly secret: KeyObject;
}

/** The store of the provider that the manifest names. */
export function createStore({ settings }: StoreOptions): FileStore {
  throw new Error(`no store for ${settings.store.provider}`);
}
