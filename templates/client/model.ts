import { type AnyQuery, filtersOf, lazyQuery } from "./query.ts";
import { callOf, dataOf, type Send } from "./request.ts";
import type { CallOptions } from "./types.ts";

type Options = CallOptions | undefined;

/** The rows that a write changes, and their new values. */
interface Change {
  where?: object;
  ids?: readonly unknown[];
  data?: object;
}

/** HTTP methods of writes; of the others it is `DELETE`. */
const verbs: Record<string, string> = { create: "POST", update: "PUT", upsert: "PUT", restore: "PATCH" };

/** The methods of a model. `entry` has its path and its methods: `/books fetch get create`. */
export function modelMethods(send: Send, entry: string): Record<string, unknown> {
  const [path, ...names] = entry.split(" ");
  const read = (operation: string, query: object, options: Options) =>
    send({ ...options, method: "GET", path: `${path}/${operation}`, query });
  const find = (operation: string, query: AnyQuery = {}, options: Options, term?: string) =>
    lazyQuery(query, term, (parameters) => read(operation, parameters, options));
  const figure = (name: string) => (where: object | undefined, options: Options) =>
    callOf(
      read(name, filtersOf(where, true), options),
      ({ data }) => (data as Record<string, unknown>)[name],
    );
  const write = (name: string) => (given: Change, options: Options) => {
    const { where, ids, data } = given;
    const body = /^(update|delete|destroy|restore)$/.test(name)
      ? {
          where: where && filtersOf(where),
          ids,
          data: name === "restore" ? { deleted_at: null, ...data } : data,
        }
      : { data: given };
    const operation = name.replace("Many", "");
    const method = verbs[operation] ?? "DELETE";
    return callOf(send({ ...options, method, path: `${path}/${operation}`, body }), dataOf);
  };
  const methods: Record<string, unknown> = {
    fetch: (query: AnyQuery | undefined, options: Options) => find("fetch", query, options),
    get: (id: unknown, options: Options) =>
      callOf(
        read("fetch", { ...filtersOf({ id }), limit: 1 }, options),
        ({ data }) => (data as unknown[])[0] ?? null,
      ),
    search: (term: string, query: AnyQuery | undefined, options: Options) =>
      find("search", query, options, term),
    count: figure("count"),
    exists: figure("exists"),
  };
  return Object.fromEntries(names.map((name) => [name, methods[name] ?? write(name)]));
}
