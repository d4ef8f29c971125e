import type { Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import {
  contentTypeProblem,
  isUtf8,
  routeNameProblem,
  routePathProblem,
  segmentsOf,
  withCharset,
} from "../../../vocabulary/custom-routes.ts";
import { isJsonObject } from "../../../vocabulary/json.ts";
import { routeCounterName } from "../../../vocabulary/rate-limits.ts";
import { ConfigError } from "../../core/config/index.ts";
import { afterWrite, ServiceError } from "../../core/errors/index.ts";
import { decodeSegments, methodNotAllowed, sendSuccess, splitUrl } from "../../core/http/index.ts";
import type { Caller } from "../../data/operations/index.ts";
import {
  type AppModules,
  appContext,
  type CodeContext,
  extend,
  noHooksRunning,
  thrownByApp,
  withCalls,
} from "../../hooks/context/index.ts";
import { guest, isFor, type Principal } from "../../models/access/index.ts";
import {
  countRequest,
  type OperationCounter,
  type RateLimits,
  routeCounter,
} from "../../modules/rate-limit/index.ts";
import {
  type CustomRoute,
  isStream,
  isWhole,
  Redirect,
  ResponseHead,
  type RouteContext,
  type RouteInput,
  sendContentResponse,
} from "./define-route.ts";
import { type InputReader, inputReader } from "./read-input.ts";
import { type ResponseWriter, responseWriter } from "./response-writer.ts";

/** The routes of a path by method, and the values of its names in order. */
interface FoundPath<Route> {
  readonly routes: ReadonlyMap<string, Route>;
  readonly texts: readonly string[];
}

interface Branch<Route> {
  readonly texts: Map<string, Branch<Route>>;
  /** Matches any text. */
  named: Branch<Route> | null;
  readonly routes: Map<string, Route>;
}

/** Routes by path. A look-up takes one step per segment, for any number of routes. */
export class RouteTree<Route extends { readonly method: string; readonly path: string }> {
  readonly #root: Branch<Route> = branch();
  #depth = 0;

  constructor(routes: readonly Route[]) {
    for (const route of routes) this.#add(route);
  }

  #add(route: Route): void {
    const segments = segmentsOf(route.path);
    this.#depth = Math.max(this.#depth, segments.length);
    let at = this.#root;
    for (const segment of segments) {
      if ("name" in segment) {
        at.named ??= branch();
        at = at.named;
        continue;
      }
      const next = at.texts.get(segment.text) ?? branch();
      at.texts.set(segment.text, next);
      at = next;
    }
    at.routes.set(route.method, route);
  }

  /** Null if no route matches, or if the path cannot be decoded. */
  find(path: string): FoundPath<Route> | null {
    const segments = path.slice(1).split("/", this.#depth + 1);
    const texts = segments.length > this.#depth ? null : decodeSegments(segments);
    return texts === null ? null : walk(this.#root, texts, 0, []);
  }
}

function branch<Route>(): Branch<Route> {
  return { texts: new Map(), named: null, routes: new Map() };
}

/** A literal segment is tried before a name, because the following segments can differ. */
function walk<Route>(
  at: Branch<Route>,
  segments: readonly string[],
  index: number,
  texts: readonly string[],
): FoundPath<Route> | null {
  const segment = segments[index];
  if (segment === undefined) return at.routes.size === 0 ? null : { routes: at.routes, texts };
  if (segment === "") return null;
  const next = at.texts.get(segment);
  const found = next === undefined ? null : walk(next, segments, index + 1, texts);
  if (found !== null || at.named === null) return found;
  return walk(at.named, segments, index + 1, [...texts, segment]);
}

/** A prepared route. */
interface ServedRoute extends Pick<CustomRoute, "method" | "path" | "handler"> {
  /** The names in the path, in order. */
  readonly names: readonly string[];
  /** Undefined: requests are not counted. */
  readonly counter: OperationCounter | undefined;
  /** Whether guests are allowed. */
  readonly admitsGuests: boolean;
  /** Errors: 403 `PERMISSION_DENIED`. */
  readonly authorize: (caller: Principal) => void;
  readonly readInput: InputReader;
  /** JSON, or content with a type. */
  readonly answer: { readonly write: ResponseWriter } | { readonly contentType: string };
}

/** Prepares a route. Throws a `ConfigError` if it is invalid. */
function servedRoute(route: CustomRoute, limits: RateLimits): ServedRoute {
  const { method, path, access, answer, rate_limit: limit } = route;
  const name = routeCounterName(method, path);
  try {
    const problem = routePathProblem(path);
    if (problem !== null) throw new Error(`its path ${problem}`);
    requireWords(route);
    const names = segmentsOf(path).flatMap((segment) => ("name" in segment ? [segment.name] : []));
    return {
      method,
      path,
      names,
      handler: (input, context) => route.handler(input, context),
      counter: routeCounter(name, limit, limits),
      admitsGuests: access.some((role) => isFor(role, guest)),
      authorize(caller) {
        if (!access.some((role) => isFor(role, caller))) throw new ServiceError("PERMISSION_DENIED");
      },
      readInput: inputReader(route, names),
      answer: answerOf(answer),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`the route ${method} ${path}: ${reason}`], []);
  }
}

/** Only documents hold these keys, but a value of another type is a mistake. */
function requireWords({ name, description = "" }: CustomRoute): void {
  const problem = name === undefined ? null : routeNameProblem(name);
  if (problem !== null) throw new Error(`its name ${problem}`);
  if (typeof description !== "string") throw new Error("its description is not a string");
}

function answerOf(answer: CustomRoute["answer"]): ServedRoute["answer"] {
  try {
    return isJsonObject(answer) && Object.hasOwn(answer, "content_type")
      ? { contentType: contentTypeOf(answer) }
      : { write: responseWriter(answer) };
  } catch (error) {
    throw new Error(`answer: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function contentTypeOf({ content_type: text, ...others }: Readonly<Record<string, unknown>>): string {
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`"${other}" is not allowed next to "content_type"`);
  const problem = typeof text === "string" ? contentTypeProblem(text) : "is not a string";
  if (problem !== null) throw new Error(`content_type ${JSON.stringify(text)} ${problem}`);
  return withCharset(String(text));
}

interface CustomRoutesOptions {
  readonly callerOf: (request: Request, response: Response) => Promise<Caller>;
  readonly limits: RateLimits;
  readonly bodyLimitBytes: number;
  readonly services: { readonly log: Logger; readonly modules: AppModules };
}

/** Serves the custom routes. Throws a `ConfigError` if one of them is invalid. */
export function customRoutes(routes: readonly CustomRoute[], options: CustomRoutesOptions): RequestHandler {
  const tree = new RouteTree(routes.map((route) => servedRoute(route, options.limits)));
  return (request, response, next) => {
    const { path, query } = splitUrl(request.url);
    const found = tree.find(path);
    if (found === null) return next();
    serve(found, query, request, response, options).catch(next);
  };
}

/** Checks method, credential, limit, access, body and input, in this order. */
async function serve(
  { routes, texts }: FoundPath<ServedRoute>,
  query: string,
  request: Request,
  response: Response,
  options: CustomRoutesOptions,
): Promise<void> {
  const [{ path } = { path: "" }] = routes.values();
  request.context.route = request.baseUrl + path;
  const route = routeFor(request.method, routes);
  const caller = await options.callerOf(request, response);
  const { principal, trace } = caller;
  if (principal.user_id === null && !route.admitsGuests) throw new ServiceError("MISSING_TOKEN");
  await countRequest(route.counter, caller, response);
  route.authorize(principal);
  const step = trace.begin("validate");
  const params = route.names.map((name, index) => [name, texts[index] ?? ""] as const);
  const { bodyLimitBytes } = options;
  const input = await route.readInput({ request, params, query, bodyLimitBytes });
  trace.end(step);
  await answered(route, input, { caller, response }, options);
}

/** GET also serves HEAD. */
function routeFor(method: string, routes: FoundPath<ServedRoute>["routes"]): ServedRoute {
  const route = routes.get(method) ?? (method === "HEAD" ? routes.get("GET") : undefined);
  if (route !== undefined) return route;
  throw methodNotAllowed([...routes.keys()].flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : [one])));
}

interface Answering {
  readonly caller: Caller;
  readonly response: Response;
}

/** Runs the handler and sends its result. */
async function answered(
  route: ServedRoute,
  input: RouteInput,
  { caller, response }: Answering,
  { services: { log, modules } }: CustomRoutesOptions,
): Promise<void> {
  const { principal, requestId, address, trace, later } = caller;
  const name = `${route.method} ${route.path}`;
  const own = log.child({ request_id: requestId, route: name });
  const origin = { principal, requestId, log: own, modules, trace, address, chain: noHooksRunning, later };
  const head = new ResponseHead();
  const { answer } = route;
  const step = trace.begin("handler");
  let isSent = false;
  const value = await withCalls(`the handler of ${name}`, async (calls) => {
    const context = contextOf(appContext({ origin, transaction: null }, calls), route, head);
    const value = await route.handler(input, context);
    if (!("contentType" in answer) || !isStream(value)) return value;
    trace.end(step);
    // A stream can use the context, which ends with this function.
    await sendContentResponse(response, value, answer.contentType, head);
    isSent = true;
    return value;
  }).catch((thrown: unknown) => {
    const error = thrownByApp(thrown, modules.errors);
    // The handler can have written to the database before it failed.
    if (!isSent) throw route.method === "GET" ? error : afterWrite(error);
    // The request was already logged. If the client left, aborted calls are not an error.
    if (response.writableFinished) own.error({ err: thrown }, "the handler failed after its response");
  });
  if (isSent) return;
  trace.end(step);
  if (value instanceof Redirect) return sendRedirect(response, value);
  if (!("contentType" in answer))
    return sendSuccess(response, { message: `${name} succeeded`, data: jsonOf(value, answer.write, name) });
  await sendContentResponse(response, wholeOf(value, answer.contentType, name), answer.contentType, head);
}

function contextOf(context: CodeContext, { answer }: ServedRoute, { words }: ResponseHead): RouteContext {
  extend(context, { redirect: (url: string, status?: 302 | 303) => new Redirect(url, status) });
  if ("contentType" in answer) extend(context, words);
  return context;
}

function sendRedirect(response: Response, { location, status }: Redirect): void {
  response.statusCode = status;
  response.setHeader("Location", location);
  response.end();
}

function jsonOf(value: unknown, write: ResponseWriter, name: string): string {
  try {
    return write(value);
  } catch (cause) {
    throw wrongAnswer(name, "does not fit its schema", cause);
  }
}

function wholeOf(value: unknown, contentType: string, name: string): string | Uint8Array {
  if (!isWhole(value)) throw wrongAnswer(name, "is not a string, a Buffer or a stream");
  if (typeof value === "string" && !isUtf8(contentType))
    throw wrongAnswer(name, `is a string, which is sent as UTF-8 and not in the charset of ${contentType}`);
  return value;
}

function wrongAnswer(name: string, problem: string, cause?: unknown): ServiceError {
  const reason = new Error(`the answer of ${name} ${problem}`, { cause });
  return new ServiceError("INTERNAL_ERROR", undefined, undefined, { cause: reason });
}
