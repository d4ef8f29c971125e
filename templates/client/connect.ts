import { textOf } from "./graphql.ts";
import { modelMethods } from "./model.ts";
import { methodOf } from "./operations.ts";
import { callOf, dataOf, exchange, limited, type Send } from "./request.ts";
import { isStream, repeated } from "./retries.ts";
import type { keepSession } from "./session.ts";
import type { CallOptions, ClientOptions } from "./types.ts";

/**
 * Methods of the client by operation: HTTP method, path and notes in one text, such as `POST /auth/* body open`. For `*` the path has
 * the name of the method, `change-password`, or what is after its colon.
 *
 * The first note says what the first argument is: the `body`, the `query`, a `form` with a file, the query of a `url`, all that a `route`
 * takes, or `none`. With `apart` a parameter of the path comes before it. Of a route a `raw` body is not JSON, and neither is a
 * `response`. `files` answers pages of files, and `open` reads no session. The body of `begins` can ask for cookies only, and
 * `refreshToken` and `token` are where the body of a refresh and of a logout has the refresh token of the session.
 */
export interface Group {
  [operation: string]: string | Group;
}

/** The operations of the service. */
export interface Tables {
  /** Path and methods by model key: `/books fetch get create`. */
  models: Record<string, string>;
  /** Models that only `client.models` has. */
  hidden: string;
  groups: Record<string, Group>;
  /** The path. */
  graphql: string;
  /** The path of the route that renews tokens. */
  refresh: string;
}

/** The client of a service with these operations. */
export function connect(
  client: ClientOptions,
  { models, hidden, groups, graphql, refresh }: Tables,
  keeper: typeof keepSession,
): object {
  const { timeout = 30_000, retries = 2 } = client;
  const attempt: Send = (request) =>
    limited(request, request.timeout ?? timeout, async (signal) => {
      const bearer = await sessions.bearer(request);
      try {
        return await exchange(client, request, bearer, signal);
      } catch (thrown) {
        if (request.open || isStream(request.raw)) throw thrown;
        return exchange(client, request, await sessions.renew(request, bearer, thrown), signal);
      }
    });
  const send: Send = (request) => repeated(request, retries, () => attempt(request));
  // A refresh is not repeated here, but with the calls that wait for it.
  const sessions = keeper(client, (body) => attempt({ method: "POST", path: refresh, body, open: true }));
  const { get, set, subscribe } = sessions;
  const all: Record<string, unknown> = {};
  for (const [key, entry] of Object.entries(models)) all[key] = modelMethods(send, entry);
  const visible = { ...all };
  for (const key of hidden.split(" ")) delete visible[key];
  return {
    ...visible,
    models: all,
    session: { get, set, subscribe },
    ...membersOf(groups, (entry) => methodOf(client, send, sessions, entry)),
    graphql: (document: unknown, variables?: object, options?: CallOptions) => {
      const query = textOf(document, client.print);
      return callOf(send({ ...options, method: "POST", path: graphql, body: { query, variables } }), dataOf);
    },
  };
}

function membersOf(group: Group, method: (entry: string) => unknown): Record<string, unknown> {
  const members: Record<string, unknown> = {};
  for (const [operation, names] of Object.entries(group)) {
    if (typeof names === "object") members[operation] = membersOf(names, method);
    else
      for (const each of names.split(" ")) {
        const [name = "", segment = name.replace(/[A-Z]/g, "-$&").toLowerCase()] = each.split(":");
        members[name] = method(operation.replace("*", segment));
      }
  }
  return members;
}
