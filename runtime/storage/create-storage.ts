import type { KeyObject } from "node:crypto";
import { type RequestHandler, Router } from "express";
import type { Logger } from "pino";
import type { StorageSettings } from "../config/index.ts";
import type { StorageForHooks } from "../context/index.ts";
import { KeyLocks } from "./files/key-locks.ts";
import type { StorageServices } from "./files/storage-services.ts";
import { hookStorage } from "./hook-storage.ts";
import { localFilesRoute } from "./http/local-files-route.ts";
import { type StorageRouterOptions, storageRouter } from "./http/storage-router.ts";
import { storageRoutes } from "./http/storage-routes.ts";
import { ImageWorkshop } from "./images/image-workshop.ts";
import { UploadSlots } from "./incoming/upload-slots.ts";
import { createStore } from "./stores/create-store.ts";

export interface StorageOptions {
  readonly settings: StorageSettings;
  /** Public address of the service, without a slash at the end. */
  readonly baseUrl: string;
  /** `SERVICE_AUTH_JWT_SECRET_KEY`. */
  readonly secret: KeyObject;
  readonly log: Logger;
}

/** The storage module at work. */
export interface Storage {
  readonly forHooks: StorageForHooks;
  /** Serves the routes; to be mounted at the slug. */
  readonly router: (front: Pick<StorageRouterOptions, "callerOf" | "counters">) => RequestHandler;
}

/** Puts the storage module together (contract: "Storage"; decisions, part 10). */
export function createStorage({ settings, baseUrl, secret, log }: StorageOptions): Storage {
  const store = createStore({ settings, secret, address: `${baseUrl}/${settings.slug}` });
  const services: StorageServices = {
    settings,
    store,
    locks: new KeyLocks(),
    uploads: new UploadSlots(),
    images: new ImageWorkshop({ folder: store.stagingFolder, maxPixels: settings.maxPixels }),
    log,
  };
  return {
    forHooks: hookStorage(services),
    router(front) {
      const router = Router({ strict: true, caseSensitive: true });
      const { publicPrefixes } = settings;
      const { servedLinks: links } = store;
      if (links !== null) router.use(localFilesRoute({ store, links, publicPrefixes }));
      return router.use(storageRouter(storageRoutes, { services, ...front }));
    },
  };
}
