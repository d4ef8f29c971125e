import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { AccountCounter, BuiltInRoute } from "../../../vocabulary/built-in-routes.ts";
import type { Principal } from "../../access/index.ts";
import type { Asks } from "../../concurrency/index.ts";
import type { CodeModules } from "../../context/index.ts";
import { tracedDatabase } from "../../database/index.ts";
import { ServiceError } from "../../errors/index.ts";
import { methodNotAllowed, readJsonBody, requireDecodable } from "../../http/index.ts";
import { sendPage } from "../../pages/index.ts";
import { type Quota, requirePassed, secondsToWait } from "../../rate-limit/index.ts";
import { noTrace, type Trace } from "../../tracing/index.ts";
import { tracedPasswords } from "../passwords/password-queue.ts";
import type { Conversation } from "../social/index.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import { type AuthAnswer, sendAuthAnswer } from "./account-answer.ts";
import type { BodyReader } from "./account-body.ts";
import type { AccountServices } from "./account-services.ts";
import type { Guard } from "./guards.ts";
import { tooManyRequestsPage } from "./pages/index.ts";
import { type Arrived, type RouteCounter, take } from "./route-counters.ts";

/** One request to a route of the accounts. */
export interface AuthCall<Caller = AccessClaims> {
  readonly services: AccountServices;
  readonly caller: Caller;
  readonly requestId: string;
  /** Where the request comes from, as counters name it. */
  readonly address: string;
  readonly log: Logger;
  readonly modules: CodeModules;
  readonly trace: Trace;
  readonly later: Asks;
  /** Names the user of the request in logs and monitoring. */
  readonly identify: (user: Principal) => void;
  /** For the routes that take parameters. */
  readonly query: URLSearchParams;
  /** Null for a route whose path names none. */
  readonly conversation: Conversation | null;
}

/** A route of the accounts: where it is, what its requests are counted by, and all that happens there. */
export interface AuthRoute<Listed extends BuiltInRoute = BuiltInRoute> {
  readonly method: Listed["method"];
  readonly path: Listed["path"];
  /** Never there: it carries the type. */
  readonly counters?: Listed["counters"];
  /** Runs guard, counter of the address, body, its counter and handler, in that order: a 401 counts nowhere. */
  readonly serve: (exchange: Exchange) => Promise<void>;
}

/** A route for each that is listed, in the same order. */
export type RoutesOf<List extends readonly BuiltInRoute[]> = {
  readonly [Index in keyof List]: AuthRoute<List[Index]>;
};

/** What the router gives to a route. */
export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  readonly services: AccountServices;
  readonly query: URLSearchParams;
  /** With the provider that the path names; null where it names none. */
  readonly conversation: Conversation | null;
}

type Handler<Caller, Body> = (body: Body, call: AuthCall<Caller>) => Promise<AuthAnswer>;

/** A step of a request, and what counts the requests that have taken it. */
type Step<Taken, Counter> = Taken | readonly [Taken, Counter];

type CounterOf<By extends AccountCounter> = [By] extends [never] ? readonly [] : readonly [By];

/** A route that was declared. `First` is what counts after the guard, `Second` after the body; never where nothing does. */
type Declared<
  Method extends BuiltInRoute["method"],
  Path extends string,
  First extends AccountCounter,
  Second extends AccountCounter,
> = AuthRoute<{
  method: Method;
  path: Path;
  counters: readonly [...CounterOf<First>, ...CounterOf<Second>];
}>;

function declare<Method extends BuiltInRoute["method"]>(method: Method) {
  return <
    const Path extends string,
    Caller extends AccessClaims | null,
    Body,
    First extends AccountCounter = never,
    Second extends AccountCounter = never,
  >(
    path: Path,
    guarded: Step<Guard<Caller>, RouteCounter<Arrived, First>>,
    read: Step<BodyReader<Body>, RouteCounter<NoInfer<Body>, Second>>,
    handler: Handler<NoInfer<Caller>, NoInfer<Body>>,
  ): Declared<Method, Path, NoInfer<First>, NoInfer<Second>> => {
    const [guard, first] = stepOf(guarded);
    const [reader, second] = stepOf(read);
    return {
      method,
      path,
      async serve(exchange) {
        const { request, response, services, query } = exchange;
        const { limits, config } = services;
        const { id, trace, later } = request.context;
        const caller = await admitted(guard, exchange);
        requirePassed(await timed(trace, take(limits, path, first, exchange)));
        const step = trace.begin("validate");
        requireDecodable(request.url);
        const sent = method === "GET" ? undefined : await readJsonBody(request, config.server.bodyLimitBytes);
        const body = reader(sent);
        trace.end(step);
        requirePassed(await timed(trace, take(limits, path, second, body)));
        const log = services.log.child({ request_id: id });
        const { conversation } = exchange;
        const { modules } = services;
        const call = {
          services: traced(services, trace),
          caller,
          requestId: id,
          address: limits.addressOf(request),
          log,
          modules,
          trace,
          later,
          identify: identifies(request.context),
          query,
          conversation,
        };
        const answer = await handler(body, call);
        sendAuthAnswer(response, answer, config.auth);
      },
    };
  };
}

/** A page for people: it answers by itself, without the envelope. */
function page<const Path extends string, First extends AccountCounter = never>(
  path: Path,
  guarded: Step<Guard<null>, RouteCounter<Arrived, First>>,
  show: (exchange: Exchange) => Promise<void> | void,
): Declared<"GET", Path, NoInfer<First>, never> {
  const [guard, first] = stepOf(guarded);
  return {
    method: "GET",
    path,
    async serve(exchange) {
      const { request, response, services } = exchange;
      await admitted(guard, exchange);
      const counted = take(services.limits, path, first, exchange);
      const seconds = secondsToWait(await timed(request.context.trace, counted));
      if (seconds === 0) return show(exchange);
      response.setHeader("Retry-After", seconds);
      sendPage(response, 429, tooManyRequestsPage());
    },
  };
}

/** A route of social sign-in that a browser is led to: it answers in the envelope, or sends the browser on. */
function browser<Method extends "GET" | "POST">(method: Method) {
  return <const Path extends string, First extends AccountCounter = never>(
    path: Path,
    guarded: Step<Guard<null>, RouteCounter<Arrived, First>>,
    show: (exchange: Exchange & { readonly conversation: Conversation }) => Promise<void>,
  ): Declared<Method, Path, NoInfer<First>, never> => {
    const [guard, first] = stepOf(guarded);
    return {
      method,
      path,
      async serve(exchange) {
        const { conversation, request, services } = exchange;
        if (conversation === null) throw new ServiceError("NOT_FOUND", "There is no such route.");
        // Not HEAD either: it would use up what the provider sent.
        if (request.method !== method) throw methodNotAllowed([method]);
        await admitted(guard, exchange);
        const counted = take(services.limits, path, first, exchange);
        requirePassed(await timed(request.context.trace, counted));
        requireDecodable(request.url);
        return show({ ...exchange, conversation });
      },
    };
  };
}

/** The caller, once the guard has let him in. */
async function admitted<Caller extends AccessClaims | null>(
  guard: Guard<Caller>,
  { request, services }: Exchange,
): Promise<Caller> {
  const { context } = request;
  const step = context.trace.begin("auth");
  const caller = await guard(request, services);
  context.trace.end(step);
  context.userId = caller?.sub ?? null;
  context.role = caller?.role ?? null;
  return caller;
}

/** What names the user of a request in logs and monitoring, once a credential was proved (a guest has none). */
export function identifies(context: Request["context"]): (user: Principal) => void {
  return ({ user_id: id, role }) => {
    if (id !== null) Object.assign(context, { userId: id, role });
  };
}

/** The services of one request, whose statements and password checks are steps of its trace. */
function traced(services: AccountServices, trace: Trace): AccountServices {
  if (trace === noTrace) return services;
  const database = tracedDatabase(services.database, trace);
  return { ...services, database, passwords: tracedPasswords(services.passwords, trace) };
}

/** What a counter says. Null where nobody counts. */
async function timed(trace: Trace, counted: Promise<Quota | null> | null): Promise<Quota | null> {
  if (counted === null) return null;
  const step = trace.begin("limit");
  const quota = await counted;
  trace.end(step);
  return quota;
}

function stepOf<Taken extends (...sent: never[]) => unknown, Counter>(
  step: Step<Taken, Counter>,
): readonly [Taken, Counter | null] {
  return typeof step === "function" ? [step, null] : step;
}

export const route = {
  get: declare("GET"),
  post: declare("POST"),
  delete: declare("DELETE"),
  page,
  browser: { get: browser("GET"), post: browser("POST") },
};
