import type { Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import { type CodeModules, codeContext, noneUnderWay, thrownByCode, withCalls } from "../context/index.ts";
import { ServiceError } from "../errors/index.ts";
import { methodNotAllowed, sendAnswer, splitUrl } from "../http/index.ts";
import type { Caller } from "../operations/index.ts";
import { countRequest, type RateLimits } from "../rate-limit/index.ts";
import type { OwnRoute, RouteInput } from "./define-route.ts";
import { type FoundPath, RouteTree } from "./route-tree.ts";
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

/** Method, credential, limit, access, body and input, handler, answer. */
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
  const data = await handled(route, input, caller, options);
  sendAnswer(response, { message: `${route.method} ${route.path} succeeded`, data });
}

/** A GET takes HEAD too. */
function routeFor(method: string, routes: FoundPath<ServedRoute>["routes"]): ServedRoute {
  const route = routes.get(method) ?? (method === "HEAD" ? routes.get("GET") : undefined);
  if (route !== undefined) return route;
  throw methodNotAllowed([...routes.keys()].flatMap((one) => (one === "GET" ? ["GET", "HEAD"] : [one])));
}

/** The JSON text of what the handler gave back. */
async function handled(
  route: ServedRoute,
  input: RouteInput,
  { principal, requestId, address, trace, later }: Caller,
  { services: { log, modules } }: OwnRoutesOptions,
): Promise<string> {
  const name = `${route.method} ${route.path}`;
  const own = log.child({ request_id: requestId, route: name });
  const origin = { principal, requestId, log: own, modules, trace, address, chain: noneUnderWay, later };
  const step = trace.begin("handler");
  const value = await withCalls(`the handler of ${name}`, (calls) =>
    route.handler(input, codeContext({ origin, transaction: null }, calls)),
  ).catch((thrown: unknown) => {
    throw thrownByCode(thrown, modules.errors);
  });
  trace.end(step);
  try {
    return route.writeAnswer(value);
  } catch (cause) {
    const reason = new Error(`the answer of ${name} is not what its schema says`, { cause });
    throw new ServiceError("INTERNAL_ERROR", undefined, undefined, { cause: reason });
  }
}
