import type { RequestHandler } from "express";
import type { Logger } from "pino";
import { andThen, type Lazy, lazy } from "../core/concurrency/index.ts";
import type { Config } from "../core/config/index.ts";
import type { HookStorage, StorageForHooks } from "../hooks/context/index.ts";
import type { Storage, StorageOptions } from "../modules/storage/index.ts";

/** The storage module, loaded on first use: some 80 modules. */
export function lazyStorage(options: StorageOptions): Storage {
  const storage = lazy(async () => (await import("../modules/storage/index.ts")).createStorage(options));
  return {
    forHooks: lazyHooks(storage),
    router: (front) => lazyRouter(storage, front),
    removeUserFiles: async (userId) => (await storage()).removeUserFiles(userId),
  };
}

/** The storage of a service; null if the module is off. */
export function lazyStorageOf({ storage: settings, baseUrl, secrets }: Config, log: Logger): Storage | null {
  return settings === null ? null : lazyStorage({ settings, baseUrl, secret: secrets.jwt, log });
}

function lazyHooks(storage: Lazy<Storage>): StorageForHooks {
  return (part, log) => {
    /** Also registers calls in the transaction that a hook does not await. */
    const ask = async <Value>(of: (files: HookStorage) => Promise<Value>): Promise<Value> =>
      andThen(storage(), (ready) => of(ready.forHooks(part, log)));
    return {
      put: (...words) => ask((files) => files.put(...words)),
      url: (...words) => ask((files) => files.url(...words)),
      remove: (...words) => ask((files) => files.remove(...words)),
    };
  };
}

function lazyRouter(storage: Lazy<Storage>, front: Parameters<Storage["router"]>[0]): RequestHandler {
  const router = lazy(async () => (await storage()).router(front));
  return async (request, response, next) => (await router())(request, response, next);
}
