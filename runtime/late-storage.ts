import type { RequestHandler } from "express";
import type { Logger } from "pino";
import type { Config } from "./config/index.ts";
import type { HookStorage, StorageForHooks } from "./context/index.ts";
import type { Storage, StorageOptions } from "./storage/index.ts";

/** What is there, or comes: once it is there, nobody waits for it. */
type Late<Value> = () => Value | Promise<Value>;

/** The storage module, loaded for the first request below its slug, or the first hook that has to do with a file: some 80 modules. */
export function lateStorage(options: StorageOptions): Storage {
  const storage = late(async () => (await import("./storage/index.ts")).createStorage(options));
  return { forHooks: lateHooks(storage), router: (front) => lateRouter(storage, front) };
}

/** The storage of a service; null where the module is off. */
export function lateStorageOf({ storage: settings, baseUrl, secrets }: Config, log: Logger): Storage | null {
  return settings === null ? null : lateStorage({ settings, baseUrl, secret: secrets.jwt, log });
}

/** Makes it for the first who asks, and for all who ask meanwhile. What has failed is tried again. */
function late<Value>(make: () => Promise<Value>): Late<Value> {
  let made: { readonly value: Value } | null = null;
  let making: Promise<Value> | null = null;
  return () => {
    if (made !== null) return made.value;
    making ??= make()
      .then((value) => {
        made = { value };
        return value;
      })
      .finally(() => {
        making = null;
      });
    return making;
  };
}

function lateHooks(storage: Late<Storage>): StorageForHooks {
  return (part, log) => {
    /** A hook that does not wait has been heard by the transaction all the same. */
    const ask = async <Value>(of: (files: HookStorage) => Promise<Value>): Promise<Value> => {
      const ready = storage();
      return of((ready instanceof Promise ? await ready : ready).forHooks(part, log));
    };
    return {
      put: (...words) => ask((files) => files.put(...words)),
      url: (...words) => ask((files) => files.url(...words)),
      remove: (...words) => ask((files) => files.remove(...words)),
    };
  };
}

function lateRouter(storage: Late<Storage>, front: Parameters<Storage["router"]>[0]): RequestHandler {
  const router = late(async () => (await storage()).router(front));
  return async (request, response, next) => (await router())(request, response, next);
}
