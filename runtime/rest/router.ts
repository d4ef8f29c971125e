import type { Request, RequestHandler, Response } from "express";
import type { Problem } from "../errors/index.ts";
import { decodePart, hasBody, methodNotAllowed, readJsonBody, sendAnswer, splitUrl } from "../http/index.ts";
import { type Caller, type CrudServices, operationContext } from "../operations/index.ts";
import {
  type OperationCounter,
  type OperationCounters,
  requirePassed,
  setQuotaHeaders,
} from "../rate-limit/index.ts";
import { readParameters } from "./input.ts";
import type { ModelRoutes, Route } from "./route.ts";

export interface RouterOptions {
  readonly services: CrudServices;
  readonly callerOf: (request: Request, response: Response) => Promise<Caller>;
  /** By model key. */
  readonly counters: ReadonlyMap<string, OperationCounters>;
  readonly bodyLimitBytes: number;
}

/** A model and what its requests are counted by. */
interface Served {
  readonly entry: ModelRoutes;
  readonly counters: OperationCounters | undefined;
}

/**
 * Serves the routes of all models. A route is found by two look-ups, model and then operation, so that a request costs
 * the same however many models there are. The order of a request is in `serve`, and in `Route.run` after it.
 */
export function modelRouter(models: readonly ModelRoutes[], options: RouterOptions): RequestHandler {
  const bySlug = new Map(
    models.map((entry) => [entry.model.slug, { entry, counters: options.counters.get(entry.model.key) }]),
  );
  return (request, response, next) => {
    const { path: sent, query } = splitUrl(request.url);
    const path = sent.includes("%") ? decodePath(sent) : sent;
    const slash = path.indexOf("/", 1);
    const served = slash === -1 ? undefined : bySlug.get(path.slice(1, slash));
    const route = served?.entry.routes.get(path.slice(slash));
    if (served === undefined || route === undefined) return next();
    request.context.route = request.baseUrl + path;
    serve(served, route, query, request, response, options).catch(next);
  };
}

/** Credential, limit, access, body, input; the rest is the route's. */
async function serve(
  { entry, counters }: Served,
  route: Route,
  query: string,
  request: Request,
  response: Response,
  { services, callerOf, bodyLimitBytes }: RouterOptions,
): Promise<void> {
  requireMethod(route, request);
  const caller = await callerOf(request, response);
  const counter = counters?.get(route.operation);
  if (counter !== undefined) await countRequest(counter, caller, response);
  const grant = route.admit(caller.principal.role);
  const call = operationContext(services, entry, caller);
  const problems: Problem[] = [];
  const parameters = readParameters(query, problems);
  const body = route.readsBody || hasBody(request) ? await readJsonBody(request, bodyLimitBytes) : undefined;
  const input = { model: entry.model, parameters, body, bulkLimit: services.bulkLimit };
  sendAnswer(response, await route.run(call, grant, input, problems));
}

/** Sets the headers of a request that was counted, which stand on whatever is answered, and refuses it beyond its limit. */
async function countRequest(
  counter: OperationCounter,
  { principal, address }: Caller,
  response: Response,
): Promise<void> {
  const quota = await counter.take(principal, address);
  if (quota === null) return;
  setQuotaHeaders(response, quota);
  requirePassed(quota);
}

function requireMethod(route: Route, request: Request): void {
  const { method } = request;
  if (method === route.method || (method === "HEAD" && route.method === "GET")) return;
  throw methodNotAllowed(route.method === "GET" ? ["GET", "HEAD"] : [route.method]);
}

/** A slash that was encoded stays so: it separates nothing. */
function decodePath(path: string): string {
  return path.split("/").map(decodeSegment).join("/");
}

function decodeSegment(segment: string): string {
  return decodePart(segment).replaceAll("/", "%2F");
}
