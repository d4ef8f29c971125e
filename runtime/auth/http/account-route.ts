import type { Request, Response } from "express";
import type { Logger } from "pino";
import { requireDecodable } from "../../http/index.ts";
import { requirePassed, secondsToWait } from "../../rate-limit/index.ts";
import type { AccountServices } from "../account-services.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import type { BodyReader } from "./account-body.ts";
import type { Guard } from "./guards.ts";
import { sendPage, tooManyRequestsPage } from "./pages/index.ts";
import { type Counted, type CountedBy, RouteCounters } from "./route-counters.ts";

/** One request to a route of the accounts. */
export interface AuthCall<Caller = AccessClaims> {
  readonly services: AccountServices;
  readonly caller: Caller;
  readonly requestId: string;
  readonly log: Logger;
  /** For the routes that take parameters. */
  readonly query: URLSearchParams;
}

/** What a route answers in the envelope. */
export interface AuthAnswer {
  readonly message: string;
  readonly data: unknown;
  /** Sets the auth cookie to an access token; null deletes it. */
  readonly cookie?: string | null;
}

export type AuthMethod = "GET" | "POST" | "DELETE";

/** A route of the accounts: where it is, and all that happens there. */
export interface AuthRoute {
  readonly method: AuthMethod;
  readonly path: string;
  /** What its requests are counted by; nothing for a route without a limit. */
  readonly counted: readonly CountedBy[];
  /** Runs guard, counter of the address, body, its counters and handler, in that order: a 401 counts nowhere. */
  readonly serve: (exchange: Exchange) => Promise<void>;
}

/** What the router gives to a route. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly services: AccountServices;
  readonly query: URLSearchParams;
  /** The parsed body; undefined where none was sent. */
  readonly readBody: () => Promise<object | undefined>;
  readonly answer: (answer: AuthAnswer) => void;
}

type Handler<Caller, Body> = (body: Body, call: AuthCall<Caller>) => Promise<AuthAnswer>;

function declare(method: AuthMethod) {
  return <Caller extends AccessClaims | null, Body>(
    path: string,
    guard: Guard<Caller>,
    reader: BodyReader<Body>,
    handler: Handler<NoInfer<Caller>, NoInfer<Body>>,
    ...counted: readonly Counted<NoInfer<Body>>[]
  ): AuthRoute => {
    const counters = new RouteCounters(path, counted);
    return {
      method,
      path,
      counted: counted.map(({ by }) => by),
      async serve({ request, services, query, readBody, answer }) {
        const caller = await guard(request, services);
        request.context.userId = caller?.sub ?? null;
        requirePassed(...(await counters.takeAddress(services.limits, request)));
        requireDecodable(request.url);
        const body = reader(method === "GET" ? undefined : await readBody());
        requirePassed(...(await counters.takeBody(services.limits, body)));
        const { id } = request.context;
        const log = services.log.child({ request_id: id });
        answer(await handler(body, { services, caller, requestId: id, log, query }));
      },
    };
  };
}

/** A page for people: it answers by itself, without the envelope. */
function page(
  path: string,
  show: (exchange: Exchange) => Promise<void> | void,
  ...counted: readonly Counted<null>[]
): AuthRoute {
  const counters = new RouteCounters(path, counted);
  return {
    method: "GET",
    path,
    counted: counted.map(({ by }) => by),
    async serve(exchange) {
      const { request, response, services } = exchange;
      const seconds = secondsToWait(...(await counters.takeAddress(services.limits, request)));
      if (seconds === 0) return show(exchange);
      response.setHeader("Retry-After", seconds);
      sendPage(response, 429, tooManyRequestsPage());
    },
  };
}

export const route = { get: declare("GET"), post: declare("POST"), delete: declare("DELETE"), page };
