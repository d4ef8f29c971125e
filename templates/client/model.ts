import { type AnyQuery, filtersOf, lazyQuery } from "./query.ts";
import { callOf, dataOf, type Send } from "./request.ts";
import type { CallOptions, Removal } from "./types.ts";

type Options = CallOptions | undefined;

/** The methods of a model. `entry` has its path and operations: `/books fetch create`. */
export function modelMethods(send: Send, entry: string): Record<string, unknown> {
  const [path, ...operations] = entry.split(" ");
  const read = (operation: string, query: object, options: Options) =>
    send({ method: "GET", path: `${path}/${operation}`, query, options });
  const write = (method: string, operation: string, body: object, options: Options) =>
    callOf(send({ method, path: `${path}/${operation}`, body, options }), dataOf);
  const removal = (operation: string) => ({
    [operation]: ({ where, ids }: Removal<object, unknown>, options: Options) =>
      write("DELETE", operation, where ? { where: filtersOf(where) } : { ids }, options),
  });
  const all: Record<string, Record<string, unknown>> = {
    fetch: {
      fetch: (query: AnyQuery = {}, options: Options) =>
        lazyQuery(query, (parameters) => read("fetch", parameters, options)),
      get: (id: unknown, options: Options) =>
        callOf(read("fetch", { id, limit: 1 }, options), ({ data }) => (data as unknown[])[0] ?? null),
    },
    search: {
      search: (search_term: string, query: AnyQuery = {}, options: Options) =>
        lazyQuery(query, (parameters) => read("search", { ...parameters, search_term }, options)),
    },
    count: {
      count: (where: object | undefined, options: Options) =>
        callOf(
          read("count", filtersOf(where, true), options),
          ({ data }) => (data as { count: number }).count,
        ),
    },
    exists: {
      exists: (where: object, options: Options) =>
        callOf(
          read("exists", filtersOf(where, true), options),
          ({ data }) => (data as { exists: boolean }).exists,
        ),
    },
    create: {
      create: (data: object, options: Options) => write("POST", "create", { data }, options),
      createMany: (data: object[], options: Options) => write("POST", "create", { data }, options),
    },
    update: {
      update: ({ where, data }: { where: object; data: object }, options: Options) =>
        write("PUT", "update", { where: filtersOf(where), data }, options),
      updateMany: (data: object[], options: Options) => write("PUT", "update", { data }, options),
    },
    upsert: {
      upsert: (data: object, options: Options) => write("PUT", "upsert", { data }, options),
    },
    delete: removal("delete"),
    destroy: removal("destroy"),
    restore: {
      restore: ({ where, data }: { where: object; data?: object }, options: Options) =>
        write("PATCH", "restore", { where: filtersOf(where), data: { deleted_at: null, ...data } }, options),
    },
  };
  return Object.assign({}, ...operations.map((operation) => all[operation]));
}
