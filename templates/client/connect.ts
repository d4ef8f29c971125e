import { textOf } from "./graphql.ts";
import { modelMethods } from "./model.ts";
import { groupMethod, routeMethod } from "./operations.ts";
import { callOf, dataOf, exchange, limited, type Send } from "./request.ts";
import { isStream, repeated } from "./retries.ts";
import { keepSession } from "./session.ts";
import type { CallOptions, ClientOptions } from "./types.ts";

/** Operations by method of the client: HTTP method, path and notes in one text, such as `POST /auth/login body open`. */
export interface Group {
  [method: string]: string | Group;
}

/** The operations of the service. */
export interface Tables {
  /** Path and methods by model key: `/books fetch get create`. */
  models: Record<string, string>;
  /** Models that only `client.models` has. */
  hidden: string;
  /** Custom routes. Their notes are `raw`, and `response` for answers that are not JSON. */
  routes: Record<string, string>;
  /**
   * The other operations. Their first argument is the `body`, the `query`, a `form` with a file, or the query of a `url`; `apart`, a
   * parameter of the path comes before it. `files` answers pages of files, and `open` reads no session. `name=` is the property of
   * the body for the refresh token, and `ends` ends the session.
   */
  groups: Record<string, Group>;
  /** The path. */
  graphql: string;
}

/** The client of a service with these operations. */
export function connect(client: ClientOptions, { models, hidden, routes, groups, graphql }: Tables): object {
  const { timeout = 30_000, retries = 2 } = client;
  const send: Send = (request) =>
    repeated(request, retries, () =>
      limited(request, request.options?.timeout ?? (request.upload ? 0 : timeout), async (signal) => {
        const bearer = await sessions.bearer(request.isOpen);
        try {
          return await exchange(client, request, bearer, signal);
        } catch (thrown) {
          const { error }: { error?: string } = Object(thrown);
          const isEnded = error === "TOKEN_EXPIRED" && bearer && !request.isOpen && !isStream(request.raw);
          const renewed = isEnded && sessions.renew(bearer);
          if (!renewed) throw thrown;
          return exchange(client, request, await renewed, signal);
        }
      }),
    );
  const [method = "", path = ""] = String(groups["auth"]?.["refresh"]).split(" ");
  const sessions = keepSession(client, (refreshToken) =>
    send({ method, path, body: { refreshToken }, isOpen: true, options: undefined }),
  );
  const { get, set, subscribe } = sessions;
  const all = mapped(models, (entry) => modelMethods(send, entry));
  const visible = { ...all };
  for (const key of hidden.split(" ")) delete visible[key];
  return {
    ...visible,
    models: all,
    session: { get, set, subscribe },
    routes: mapped(routes, (entry) => routeMethod(send, entry)),
    ...mapped(groups, (entry) => groupMethod(client, send, sessions, entry)),
    graphql: (document: unknown, variables?: object, options?: CallOptions) => {
      const query = textOf(document, client.print);
      return callOf(send({ method: "POST", path: graphql, body: { query, variables }, options }), dataOf);
    },
  };
}

function mapped(group: Group, methodOf: (entry: string) => unknown): Record<string, unknown> {
  const methods: Record<string, unknown> = {};
  for (const [name, entry] of Object.entries(group))
    methods[name] = typeof entry === "string" ? methodOf(entry) : mapped(entry, methodOf);
  return methods;
}
