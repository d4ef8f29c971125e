import type { Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import { isUtf8 } from "../../../vocabulary/custom-routes.ts";
import { afterWrite, ServiceError } from "../../core/errors/index.ts";
import { methodNotAllowed, sendAnswer, splitUrl } from "../../core/http/index.ts";
import type { Caller } from "../../data/operations/index.ts";
import {
  type CodeContext,
  type CodeModules,
  codeContext,
  extend,
  noneUnderWay,
  thrownByCode,
  withCalls,
} from "../../hooks/context/index.ts";
import { countRequest, type RateLimits } from "../../modules/rate-limit/index.ts";
import type { AnswerWriter } from "./answer-writer.ts";
import type { OwnRoute, RouteInput } from "./define-route.ts";
import { AnswerHead, Redirect, type RouteContext } from "./route-context.ts";
import { type FoundPath, RouteTree } from "./route-tree.ts";
import { isStream, isWhole, sendContentAnswer } from "./send-content-answer.ts";
import { type ServedRoute, servedRoute } from "./served-route.ts";

export interface OwnRoutesOptions {
  readonly callerOf: (request: Request, response: Response) => Promise<Caller>;
  readonly limits: RateLimits;
  readonly bodyLimitBytes: number;
  readonly services: { readonly log: Logger; readonly modules: CodeModules };
}

/** Serves the app's own routes. The order of a request is in `serve`. Throws where one of them cannot be served, and says why. */
export function ownRoutes(routes: readonly OwnRoute[], options: OwnRoutesOptions): RequestHandler {
  const tree = new RouteTree(routes.map((route) => servedRoute(route, options.limits)));
  return (request, response, next) => {
    const { path, query } = splitUrl(request.url);
    const found = tree.find(path);
    if (found === null) return next();
    serve(found, query, request, response, options).catch(next);
  };
}

/** Method, credential, limit, access, body and input, then `answered`. */
async function serve(
  { routes, texts }: FoundPath<ServedRoute>,
  query: string,
  request: Request,
  response: Response,
  options: OwnRoutesOptions,
): Promise<void> {
  const [{ path } = { path: "" }] = routes.values();
  request.context.route = request.baseUrl + path;
  const route = routeFor(request.method, routes);
  const caller = await options.callerOf(request, response);
  const { principal, trace } = caller;
  if (principal.user_id === null && !route.admitsGuests) throw new ServiceError("MISSING_TOKEN");
  await countRequest(route.counter, caller, response);
  route.admit(principal);
  const step = trace.begin("validate");
  const params = route.names.map((name, index) => [name, texts[index] ?? ""] as const);
  const { bodyLimitBytes } = options;
  const input = await route.readInput({ request, params, query, bodyLimitBytes });
  trace.end(step);
  await answered(route, input, { caller, response }, options);
}

/** A GET takes HEAD too. */
function routeFor(method: string, routes: FoundPath<ServedRoute>["routes"]): ServedRoute {
  const route = routes.get(method) ?? (method === "HEAD" ? routes.get("GET") : undefined);
  if (route !== undefined) return route;
  throw methodNotAllowed([...routes.keys()].flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : [one])));
}

interface Answering {
  readonly caller: Caller;
  readonly response: Response;
}

/** Runs the handler and answers with what it gives back. */
async function answered(
  route: ServedRoute,
  input: RouteInput,
  { caller, response }: Answering,
  { services: { log, modules } }: OwnRoutesOptions,
): Promise<void> {
  const { principal, requestId, address, trace, later } = caller;
  const name = `${route.method} ${route.path}`;
  const own = log.child({ request_id: requestId, route: name });
  const origin = { principal, requestId, log: own, modules, trace, address, chain: noneUnderWay, later };
  const head = new AnswerHead();
  const { answer } = route;
  const step = trace.begin("handler");
  let isSent = false;
  const value = await withCalls(`the handler of ${name}`, async (calls) => {
    const context = contextOf(codeContext({ origin, transaction: null }, calls), route, head);
    const value = await route.handler(input, context);
    if (!("contentType" in answer) || !isStream(value)) return value;
    trace.end(step);
    // A stream can read by the context, which ends with this call.
    await sendContentAnswer(response, value, answer.contentType, head);
    isSent = true;
    return value;
  }).catch((thrown: unknown) => {
    const error = thrownByCode(thrown, modules.errors);
    // The handler may have written before it failed.
    if (!isSent) throw route.method === "GET" ? error : afterWrite(error);
    // The line of the request is written. A client that left cuts calls short, which is not a mistake.
    if (response.writableFinished) own.error({ err: thrown }, "the handler failed behind its answer");
  });
  if (isSent) return;
  trace.end(step);
  if (value instanceof Redirect) return sendRedirect(response, value);
  if (!("contentType" in answer))
    return sendAnswer(response, { message: `${name} succeeded`, data: jsonOf(value, answer.write, name) });
  await sendContentAnswer(response, wholeOf(value, answer.contentType, name), answer.contentType, head);
}

function contextOf(context: CodeContext, { answer }: ServedRoute, { words }: AnswerHead): RouteContext {
  extend(context, { redirect: (url: string, status?: 302 | 303) => new Redirect(url, status) });
  if ("contentType" in answer) extend(context, words);
  return context;
}

function sendRedirect(response: Response, { location, status }: Redirect): void {
  response.statusCode = status;
  response.setHeader("Location", location);
  response.end();
}

function jsonOf(value: unknown, write: AnswerWriter, name: string): string {
  try {
    return write(value);
  } catch (cause) {
    throw wrongAnswer(name, "is not what its schema says", cause);
  }
}

function wholeOf(value: unknown, contentType: string, name: string): string | Uint8Array {
  if (!isWhole(value)) throw wrongAnswer(name, "is neither a string nor a Buffer nor a stream");
  if (typeof value === "string" && !isUtf8(contentType))
    throw wrongAnswer(name, `is a string, which is sent in UTF-8, and not in the charset of ${contentType}`);
  return value;
}

function wrongAnswer(name: string, problem: string, cause?: unknown): ServiceError {
  const reason = new Error(`the answer of ${name} ${problem}`, { cause });
  return new ServiceError("INTERNAL_ERROR", undefined, undefined, { cause: reason });
}
