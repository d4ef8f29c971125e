import { createSecretKey, randomBytes } from "node:crypto";
import { type RequestHandler, Router } from "express";
import type { Logger } from "pino";
import type { SecretKeys, StorageSettings } from "../../core/config/index.ts";
import type { StorageForHooks } from "../../hooks/context/index.ts";
import { KeyLocks, type StorageServices } from "./files/storage-services.ts";
import { hookStorage } from "./hook-storage.ts";
import { localFilesRoute } from "./http/local-files-route.ts";
import { resumableRoute } from "./http/resumable/resumable-route.ts";
import type { StorageRouterOptions } from "./http/storage-route.ts";
import { storageRouter } from "./http/storage-router.ts";
import { ImageProcessor } from "./images/image-processor.ts";
import { UploadSlots } from "./incoming/upload-slots.ts";
import { userFolder } from "./keys/key-reach.ts";
import type { FileStore } from "./stores/file-store.ts";
import { LinkSignatures, LocalStore } from "./stores/local/local-store.ts";
import { S3Store } from "./stores/s3/s3-store.ts";

export interface StorageOptions {
  readonly settings: StorageSettings;
  /** Public address of the service, without a trailing slash. */
  readonly baseUrl: string;
  /** `SERVICE_AUTH_JWT_SECRET_KEY`. */
  readonly secret: SecretKeys;
  readonly log: Logger;
}

export interface Storage {
  readonly forHooks: StorageForHooks;
  /** Removes the files of a user, below `users/<id>/`. */
  readonly removeUserFiles: (userId: string) => Promise<void>;
  /** Serves the routes; mount it at the slug. */
  readonly router: (routerOptions: Pick<StorageRouterOptions, "callerOf" | "counters">) => RequestHandler;
}

/** Creates the storage module (docs/storage.md). */
export function createStorage({ settings, baseUrl, secret, log }: StorageOptions): Storage {
  const address = `${baseUrl}/${settings.slug}`;
  const store = createStore({ settings, secret, address });
  const services: StorageServices = {
    settings,
    store,
    locks: new KeyLocks(),
    uploads: new UploadSlots(),
    images: new ImageProcessor({ folder: store.stagingFolder, maxPixels: settings.maxPixels }),
    log,
  };
  return {
    forHooks: hookStorage(services),
    removeUserFiles: (userId) => store.removeBelow(userFolder(userId)),
    router(routerOptions) {
      const router = Router({ strict: true, caseSensitive: true });
      if (store.served !== null) router.use(localFilesRoute(store.served, settings.publicPrefixes));
      if (settings.resumable) router.use(resumableRoute({ services, ...routerOptions }, address));
      return router.use(storageRouter({ services, ...routerOptions }));
    },
  };
}

const dayMs = 86_400_000;

/** Removes leftovers of uploads older than a day (docs/operations.md#purge). Returns their number. */
export async function purgeStorage(settings: StorageSettings, now: Date): Promise<number> {
  // A purge signs no links.
  const store = createStore({ settings, address: "", secret: [createSecretKey(randomBytes(32))] });
  return store.purge(new Date(now.getTime() - dayMs));
}

interface StoreOptions {
  readonly settings: StorageSettings;
  /** URL of the storage routes without a trailing slash, for links to local files. */
  readonly address: string;
  /** The key that signs links to local files is derived from it. */
  readonly secret: SecretKeys;
}

function createStore({ settings: { store }, address, secret }: StoreOptions): FileStore {
  switch (store.provider) {
    case "local":
      return new LocalStore({ root: store.root, address, signatures: new LinkSignatures(secret) });
    case "s3":
      return new S3Store({ settings: store });
  }
}
