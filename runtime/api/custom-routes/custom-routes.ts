import type { Request, RequestHandler, Response } from "express";
import { isUtf8, segmentsOf } from "../../../vocabulary/custom-routes.ts";
import { ServiceError } from "../../core/errors/index.ts";
import { decodeSegments, methodNotAllowed, sendSuccess, splitUrl } from "../../core/http/index.ts";
import type { Caller } from "../../data/operations/index.ts";
import { countRequest, type RateLimits } from "../../modules/rate-limit/index.ts";
import {
  type CustomRoute,
  isStream,
  isWhole,
  Redirect,
  ResponseHead,
  type RouteInput,
  sendContentResponse,
} from "./define-route.ts";
import { type HandlerServices, jsonOf, runHandler, wrongAnswer } from "./run-handler.ts";
import { type ServedRoute, servedRoute } from "./served-route.ts";

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

interface CustomRoutesOptions {
  readonly callerOf: (request: Request, response: Response) => Promise<Caller>;
  readonly limits: RateLimits;
  readonly bodyLimitBytes: number;
  readonly services: HandlerServices;
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
  const input = await route.inputs.read({ request, params, query, bodyLimitBytes });
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
  { services }: CustomRoutesOptions,
): Promise<void> {
  const { requestId, trace } = caller;
  const name = `${route.method} ${route.path}`;
  const head = new ResponseHead();
  const { answer } = route;
  const step = trace.begin("handler");
  let isSent = false;
  const send = async (value: unknown) => {
    if (!("contentType" in answer) || !isStream(value)) return value;
    trace.end(step);
    // A stream can use the context, which ends with this function.
    await sendContentResponse(response, value, answer.contentType, head);
    isSent = true;
    return value;
  };
  const run = () => runHandler({ route, input, caller, head }, services, send);
  const value = await trace.within(run, step).catch((error: unknown) => {
    if (!isSent) {
      trace.end(step, error);
      throw error;
    }
    // The request was already logged. If the client left, aborted calls are not an error.
    if (!response.writableFinished) return;
    const log = services.log.child({ request_id: requestId, ...trace.logFields, route: name });
    log.error({ err: error }, "the handler failed after its response");
  });
  if (isSent) return;
  trace.end(step);
  if (value instanceof Redirect) return sendRedirect(response, value);
  if (!("contentType" in answer))
    return sendSuccess(response, {
      message: `${name} succeeded`,
      data: await jsonOf(value, answer.write, name),
    });
  await sendContentResponse(response, wholeOf(value, answer.contentType, name), answer.contentType, head);
}

function sendRedirect(response: Response, { location, status }: Redirect): void {
  response.statusCode = status;
  response.setHeader("Location", location);
  response.end();
}

function wholeOf(value: unknown, contentType: string, name: string): string | Uint8Array {
  if (!isWhole(value)) throw wrongAnswer(name, "is not a string, a Buffer or a stream");
  if (typeof value === "string" && !isUtf8(contentType))
    throw wrongAnswer(name, `is a string, which is sent as UTF-8 and not in the charset of ${contentType}`);
  return value;
}
