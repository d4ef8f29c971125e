import { Readable } from "node:stream";
import type { Request, Response } from "express";
import type { Logger } from "pino";
import type { AccountFeature } from "../../../../vocabulary/account-features.ts";
import type { AccountCounter, BuiltInRoute } from "../../../../vocabulary/built-in-routes.ts";
import { exactText, isJsonObject, type JsonObject } from "../../../../vocabulary/json.ts";
import { accountCounterKey } from "../../../../vocabulary/rate-limits.ts";
import { type DeferredTasks, noTrace, type Trace } from "../../../core/concurrency/index.ts";
import type { Config } from "../../../core/config/index.ts";
import { tracedDatabase } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import {
  dispositionOf,
  methodNotAllowed,
  readJsonBody,
  requireDecodable,
  sendContent,
  sendSuccess,
} from "../../../core/http/index.ts";
import { sendPage } from "../../../core/pages/index.ts";
import type { AppModules } from "../../../hooks/context/index.ts";
import type { Principal } from "../../../models/access/index.ts";
import { type Quota, requirePassed, secondsToWait } from "../../rate-limit/index.ts";
import { tracedPasswords } from "../passwords/password-queue.ts";
import type { Device } from "../sessions/session-rows.ts";
import type { IssuedTokens } from "../sessions/sessions.ts";
import type { Conversation } from "../social/index.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import { type BodyName, bodyReader, type CheckedBody } from "./account-body.ts";
import type { AccountServices } from "./account-services.ts";
import type { RouteGuard } from "./guards.ts";
import { tooManyRequestsPage } from "./pages/account-pages.ts";
import { readBodyOrCookie, setSessionCookies, withoutTokens } from "./session-cookies.ts";
import { setSignInCookie } from "./sign-in-cookie.ts";

/** The response of a route, without the envelope. */
export interface AuthAnswer {
  readonly message: string;
  readonly data: unknown;
  /** Written to the cookies of the session; null deletes these. */
  readonly tokens?: IssuedTokens | null;
  /** Binds the linking of the path's provider to this browser. */
  readonly signInCookie?: string;
}

/** Sends a response and sets the cookies of the session. */
export function sendAuthAnswer(
  response: Response,
  { message, data, tokens }: AuthAnswer,
  config: Config,
): void {
  // Before the cookies: this throws if a hook returned a value that is not JSON.
  const text = exactText(data ?? null);
  if (tokens !== undefined) setSessionCookies(response, config, tokens);
  sendSuccess(response, { message, data: text });
}

/** One request to a route of the accounts. */
export interface AccountRequest<Caller = AccessClaims> {
  readonly services: AccountServices;
  readonly caller: Caller;
  readonly requestId: string;
  /** The client's address, as in rate limit counters. */
  readonly address: string;
  readonly device: Device;
  readonly log: Logger;
  readonly modules: AppModules;
  readonly trace: Trace;
  readonly later: DeferredTasks;
  /** Names the user of the request in logs and monitoring. */
  readonly identify: (user: Principal) => void;
  readonly query: URLSearchParams;
  /** Null if the path names no provider. */
  readonly conversation: Conversation | null;
  /** The text of the path's parameter; empty for a path without one. */
  readonly parameter: string;
}

/** A route of the accounts: its row and its handler. */
export interface AccountRoute extends BuiltInRoute {
  readonly needs?: AccountFeature;
  readonly serve: ServeRoute;
}

/** The request, response and services for a route. */
export interface RouteContext {
  readonly request: Request;
  readonly response: Response;
  readonly services: AccountServices;
  /** The row of the route. */
  readonly route: BuiltInRoute;
  readonly query: URLSearchParams;
  /** Null if the path names no provider. */
  readonly conversation: Conversation | null;
  readonly parameter: string;
}

export type ServeRoute = (context: RouteContext) => Promise<void>;

type Handler<Caller, Body> = (body: Body, call: AccountRequest<Caller>) => Promise<AuthAnswer>;

/**
 * A route that responds in the envelope. The order is: guard, counter of the address, body, counters of the
 * user and of the e-mail or phone number in the body, handler. A 401 of the guard is not counted.
 */
export function json<Caller extends AccessClaims | null, Name extends BodyName>(
  guard: RouteGuard<Caller>,
  bodyName: Name,
  handler: Handler<NoInfer<Caller>, CheckedBody<Name>>,
): ServeRoute {
  const { cookieKey, read } = bodyReader(bodyName);
  return async (context) => {
    const { request, response, services, route } = context;
    const { config } = services;
    const { trace } = request.context;
    const caller = await admitted(guard, context);
    requirePassed(await countAddress(context));
    const step = trace.begin("validate");
    requireDecodable(request.url);
    const isRead = route.method === "GET";
    const body = read(isRead ? undefined : await sentBody(context, cookieKey), services);
    trace.end(step);
    requirePassed(await count(context, "user", () => userOf(caller)));
    requirePassed(await countBody(context, body));
    const answer = await handler(body, callOf(context, caller));
    if (answer.signInCookie !== undefined && context.conversation !== null)
      setSignInCookie(response, config, context.conversation, answer.signInCookie);
    const { data } = answer;
    const isCookieOnly = body !== null && "cookie_only" in body && body.cookie_only === true;
    sendAuthAnswer(response, isCookieOnly ? { ...answer, data: withoutTokens(data) } : answer, config);
  };
}

function callOf<Caller>(context: RouteContext, caller: Caller): AccountRequest<Caller> {
  const { request, services, query, conversation, parameter } = context;
  const { id, trace, later } = request.context;
  const address = services.limits.addressOf(request);
  return {
    services: traced(services, trace),
    caller,
    requestId: id,
    address,
    device: deviceOf(request, address),
    log: services.log.child({ request_id: id, ...trace.logFields }),
    modules: services.modules,
    trace,
    later,
    identify: identifies(request.context),
    query,
    conversation,
    parameter,
  };
}

/** An answer as a file, whose data is streamed. */
export interface Download {
  readonly message: string;
  /** The name of the file. */
  readonly name: string;
  /** Begins to read the data, which is JSON text. Not called for `HEAD`. */
  readonly open: () => Readable;
}

/** A route that answers a file in the envelope. The order of the checks is that of `json`. */
export function download(
  guard: RouteGuard<AccessClaims>,
  handler: (call: AccountRequest) => Promise<Download>,
): ServeRoute {
  return async (context) => {
    const { request, response } = context;
    const caller = await admitted(guard, context);
    requireDecodable(request.url);
    requirePassed(await count(context, "user", () => caller.sub));
    const { message, name, open } = await handler(callOf(context, caller));
    const headers = {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": dispositionOf("attachment", name),
    };
    if (request.method === "HEAD") {
      response.writeHead(200, headers).end();
      return;
    }
    const head = `{"statusCode":200,"status":"success","message":${JSON.stringify(message)},"data":`;
    const data = open();
    const whole = Readable.from(
      (async function* () {
        let isFirst = true;
        for await (const part of data) {
          // Until then, a failure can still be answered.
          if (isFirst) yield head;
          isFirst = false;
          yield part;
        }
        yield "}";
      })(),
    );
    // The generator does not end `data` if the client leaves before it began.
    whole.once("close", () => data.destroy());
    await sendContent(response, whole, 200, headers);
  };
}

/** Reads a body. The refresh cookie can replace its key `cookieKey`. */
function sentBody(
  { request, services: { config, cookies } }: RouteContext,
  cookieKey: string | null,
): Promise<JsonObject | undefined> {
  const read = () => readJsonBody(request, config.server.bodyLimitBytes);
  return cookieKey === null || cookies.refresh === null
    ? read()
    : readBodyOrCookie(request, cookies.refresh, cookieKey, read);
}

/** A route that responds with an HTML page, without the envelope. */
export function page(
  guard: RouteGuard<null>,
  show: (context: RouteContext) => Promise<void> | void,
): ServeRoute {
  return async (context) => {
    await admitted(guard, context);
    const seconds = secondsToWait(await countAddress(context));
    if (seconds === 0) return show(context);
    context.response.setHeader("Retry-After", seconds);
    sendPage(context.response, 429, tooManyRequestsPage());
  };
}

/** A route of social sign-in that browsers open. It responds in the envelope or redirects. */
export function browser(
  guard: RouteGuard<null>,
  show: (context: RouteContext & { readonly conversation: Conversation }) => Promise<void>,
): ServeRoute {
  return async (context) => {
    const { conversation, request, route } = context;
    if (conversation === null) throw new ServiceError("NOT_FOUND", "There is no such route.");
    // Refuses HEAD too: it would use up the state of the sign-in.
    if (request.method !== route.method) throw methodNotAllowed([route.method]);
    await admitted(guard, context);
    requirePassed(await countAddress(context));
    requireDecodable(request.url);
    return show({ ...context, conversation });
  };
}

/** Runs the guard, and records the caller for logs and monitoring. */
async function admitted<Caller extends AccessClaims | null>(
  guard: RouteGuard<Caller>,
  { request, services }: RouteContext,
): Promise<Caller> {
  const { context } = request;
  const step = context.trace.begin("auth");
  const caller = await guard(request, services);
  context.trace.end(step);
  context.userId = caller?.sub ?? null;
  context.role = caller?.role ?? null;
  return caller;
}

/** Returns a function that records the user of a request for logs and monitoring. It ignores guests. */
export function identifies(context: Request["context"]): (user: Principal) => void {
  return ({ user_id: id, role }) => {
    if (id !== null) Object.assign(context, { userId: id, role });
  };
}

/** The client of a request. The client chose the text of `User-Agent`. */
export function deviceOf({ headers }: Pick<Request, "headers">, address: string): Device {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it removes them.
  const userAgent = headers["user-agent"]?.replace(/[\u0000-\u001f\u007f-\u009f]/g, "").slice(0, 512);
  return { userAgent: userAgent || null, address };
}

/**
 * The services of one request. Statements and password checks add steps to its trace, which messages pass on.
 */
export function traced(services: AccountServices, trace: Trace): AccountServices {
  if (trace === noTrace) return services;
  const { sms } = services;
  const linkMail = services.linkMail.within(trace);
  return {
    ...services,
    database: tracedDatabase(services.database, trace),
    passwords: tracedPasswords(services.passwords, trace),
    linkMail,
    notices: services.notices.with(linkMail),
    sms: sms === null ? null : { send: (sent) => sms.send({ ...sent, traceparent: trace.traceparent }) },
  };
}

function countAddress(context: RouteContext): Promise<Quota | null> {
  return count(context, "ip", () => context.services.limits.addressOf(context.request));
}

function userOf(caller: AccessClaims | null): string {
  if (caller === null) throw new Error("a route without a user cannot be limited by user");
  return caller.sub;
}

/** Counts by the e-mail or phone number that the body names, in its canonical form. */
function countBody(context: RouteContext, body: unknown): Promise<Quota | null> {
  const by = context.route.counters.includes("email") ? "email" : "phone";
  return count(context, by, () => {
    const named = isJsonObject(body) ? countedFields[by].map((field) => body[field]) : [];
    const text = named.find((value) => typeof value === "string");
    if (text === undefined)
      throw new Error(`${context.route.path} did not read the ${by}, which its rate limit counts by`);
    return text;
  });
}

/** The fields of a body that a counter can count by. */
const countedFields = { email: ["email", "new_email"], phone: ["phone_number"] } as const;

/** Counts a request, with the manifest's default limit. Null if the route does not count by `by`. */
async function count(
  { request, services, route }: RouteContext,
  by: AccountCounter,
  whom: () => string,
): Promise<Quota | null> {
  const { limiter, defaultLimit } = services.limits;
  if (limiter === null || !route.counters.includes(by)) return null;
  const { trace } = request.context;
  const step = trace.begin("limit");
  const quota = await limiter.take(accountCounterKey(route.path, by, whom()), defaultLimit);
  trace.end(step);
  return quota;
}
