import type { KeyObject } from "node:crypto";
import type { StorageSettings } from "../../config/index.ts";
import type { FileStore } from "./file-store.ts";
import { LinkSignatures } from "./local/link-signatures.ts";
import { LocalStore } from "./local/local-store.ts";
import { S3Store } from "./s3/s3-store.ts";

export interface StoreOptions {
  readonly settings: StorageSettings;
  /** Where the routes of storage are, without a slash at the end: links to local files lead there. */
  readonly address: string;
  /** What the key that signs links to local files is derived from. */
  readonly secret: KeyObject;
}

/** The store of the provider that the manifest names. */
export function createStore({ settings: { store }, address, secret }: StoreOptions): FileStore {
  switch (store.provider) {
    case "local":
      return new LocalStore({ root: store.root, address, signatures: new LinkSignatures(secret) });
    case "s3":
      return new S3Store({ settings: store });
  }
}
