import { type AnyQuery, filtersOf, lazyQuery } from "./query.ts";
import { type ApiRequest, callOf, dataOf, type Send } from "./request.ts";
import type { CallOptions } from "./types.ts";

type Options = CallOptions | undefined;

/** The rows that a write changes, and their new values. */
interface Change {
  where?: object;
  ids?: readonly unknown[];
  data?: object;
}

/** The methods of a model. `entry` has its path and its methods: `/books fetch get create`. */
export function modelMethods(send: Send, entry: string): Record<string, unknown> {
  const [path, ...names] = entry.split(" ");
  const ask = (method: string, operation: string, content: Partial<ApiRequest>, options: Options) =>
    send({ ...options, ...content, method, path: `${path}/${operation}` });
  const find = (operation: string, query: AnyQuery = {}, options: Options, more?: object) =>
    lazyQuery(query, (parameters) => ask("GET", operation, { query: { ...parameters, ...more } }, options));
  const figure = (name: string) => (where: object | undefined, options: Options) =>
    callOf(
      ask("GET", name, { query: filtersOf(where, true) }, options),
      ({ data }) => (data as Record<string, unknown>)[name],
    );
  const add = (method: string, operation: string) => (data: object, options: Options) =>
    callOf(ask(method, operation, { body: { data } }, options), dataOf);
  const change =
    (method: string, operation: string, fixed?: object) =>
    ({ where, ids, data }: Change, options: Options) => {
      const body = { where: where && filtersOf(where), ids, data: fixed ? { ...fixed, ...data } : data };
      return callOf(ask(method, operation, { body }, options), dataOf);
    };
  const methods: Record<string, unknown> = {
    fetch: (query: AnyQuery | undefined, options: Options) => find("fetch", query, options),
    get: (id: unknown, options: Options) =>
      callOf(
        ask("GET", "fetch", { query: { ...filtersOf({ id }), limit: 1 } }, options),
        ({ data }) => (data as unknown[])[0] ?? null,
      ),
    search: (search_term: string, query: AnyQuery | undefined, options: Options) =>
      find("search", query, options, { search_term }),
    count: figure("count"),
    exists: figure("exists"),
    create: add("POST", "create"),
    createMany: add("POST", "create"),
    update: change("PUT", "update"),
    updateMany: add("PUT", "update"),
    upsert: add("PUT", "upsert"),
    delete: change("DELETE", "delete"),
    destroy: change("DELETE", "destroy"),
    restore: change("PATCH", "restore", { deleted_at: null }),
  };
  return Object.fromEntries(names.map((name) => [name, methods[name]]));
}
