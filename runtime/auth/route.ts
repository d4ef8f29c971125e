import type { Request, Response } from "express";
import type { Logger } from "pino";
import { ServiceError } from "../errors/index.ts";
import { requireDecodable } from "../http/url.ts";
import type { AccountServices } from "./accounts.ts";
import type { BodyReader } from "./body.ts";
import type { AccessClaims } from "./tokens/access-token.ts";

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

/** Who may use a route: gives the caller, or throws. */
export type Guard<Caller> = (request: Request, services: AccountServices) => Promise<Caller>;

/** Public: the credential is not even read, so that a stale one does not keep anybody from signing in. */
export const anybody: Guard<null> = () => Promise.resolve(null);

/** Whoever sent a valid access token; null for everybody else. For logout. */
export const whoever: Guard<AccessClaims | null> = (request, { authenticator }) =>
  Promise.resolve(authenticator.presented(request));

/** Needs an access token. */
export const signedIn: Guard<AccessClaims> = (request, { authenticator }) => authenticator.session(request);

const administrativeRoles: ReadonlySet<string> = new Set(["admin", "system", "superadmin"]);

/** Whether a role may act for other users (contract: "Authorization summary"). */
export function isAdministrator(role: string): boolean {
  return administrativeRoles.has(role);
}

/** Needs an access token with the role admin, system or superadmin. */
export const administrators: Guard<AccessClaims> = async (request, services) => {
  const caller = await services.authenticator.session(request);
  if (!isAdministrator(caller.role)) throw new ServiceError("PERMISSION_DENIED");
  return caller;
};

export type AuthMethod = "GET" | "POST" | "DELETE";

/** A route of the accounts: where it is, and all that happens there. */
export interface AuthRoute {
  readonly method: AuthMethod;
  readonly path: string;
  /** Runs guard, body and handler, in that order. */
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
  ): AuthRoute => ({
    method,
    path,
    async serve({ request, services, query, readBody, answer }) {
      const caller = await guard(request, services);
      request.context.userId = caller?.sub ?? null;
      requireDecodable(request.url);
      // Limits of the accounts go here: some count by what the body says (issue 6 of the contract's "Rate limiting").
      const body = reader(method === "GET" ? undefined : await readBody());
      const { id } = request.context;
      const log = services.log.child({ request_id: id });
      answer(await handler(body, { services, caller, requestId: id, log, query }));
    },
  });
}

/** A page for people: it answers by itself, without the envelope. */
function page(path: string, show: (exchange: Exchange) => Promise<void> | void): AuthRoute {
  return { method: "GET", path, serve: async (exchange) => show(exchange) };
}

export const route = { get: declare("GET"), post: declare("POST"), delete: declare("DELETE"), page };
