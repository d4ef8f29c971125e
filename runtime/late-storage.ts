import type { RequestHandler } from "express";
import type { HookStorage, StorageForHooks } from "./hooks/index.ts";
import type { Storage, StorageOptions } from "./storage/index.ts";

/** The storage module, loaded for the first request below its slug, or the first hook that has to do with a file: some 80 modules. */
export function lateStorage(options: StorageOptions): Storage {
  let loading: Promise<Storage> | null = null;
  const load = () => {
    loading ??= import("./storage/index.ts").then(({ createStorage }) => createStorage(options));
    return loading;
  };
  return { forHooks: lateHooks(load), router: (front) => lateRouter(load, front) };
}

function lateHooks(load: () => Promise<Storage>): StorageForHooks {
  return (transaction) => {
    const files = async (): Promise<HookStorage> => (await load()).forHooks(transaction);
    return {
      put: async (...words) => (await files()).put(...words),
      url: async (...words) => (await files()).url(...words),
      remove: async (...words) => (await files()).remove(...words),
    };
  };
}

function lateRouter(load: () => Promise<Storage>, front: Parameters<Storage["router"]>[0]): RequestHandler {
  let router: RequestHandler | null = null;
  return async (request, response, next) => {
    router ??= (await load()).router(front);
    return router(request, response, next);
  };
}
