import type { Request, RequestHandler, Response } from "express";
import { type Problem, refuseProblems, ServiceError } from "../../core/errors/index.ts";
import {
  decodePart,
  methodNotAllowed,
  readQueryString,
  type SuccessResponse,
  sendSuccess,
  splitUrl,
} from "../../core/http/index.ts";
import { isAdministrator, type Principal } from "../../models/access/index.ts";
import type { Counter, CounterStore } from "./rate-limiter.ts";

export interface AdminServices {
  readonly store: CounterStore;
  readonly callerOf: (request: Request, response: Response) => Promise<{ readonly principal: Principal }>;
}

/** The rest of the path as sent, and the query parameters. */
interface AdminCall {
  readonly store: CounterStore;
  readonly rest: string;
  readonly parameters: ReadonlyMap<string, string>;
  readonly problems: Problem[];
}

interface AdminRoute {
  /** Its group, if any, matches the rest of the path. */
  readonly path: RegExp;
  /** For logs, because keys contain e-mail and IP addresses. */
  readonly pattern: string;
  /** Names of its query parameters. */
  readonly parameters: readonly string[];
  readonly methods: Readonly<Record<string, (asked: AdminCall) => Promise<SuccessResponse>>>;
}

const routes: readonly AdminRoute[] = [
  {
    path: /^\/rate-limits$/,
    pattern: "/rate-limits",
    parameters: ["prefix", "limit"],
    methods: { GET: listCounters },
  },
  {
    path: /^\/rate-limits\/(.+)$/,
    pattern: "/rate-limits/{key}",
    parameters: [],
    methods: { GET: showCounter, DELETE: resetCounter },
  },
];

/** Serves the routes below `/admin`. They have no rate limit. */
export function rateLimitAdmin(services: AdminServices): RequestHandler {
  return (request, response, next) => {
    const { path, query } = splitUrl(request.url);
    const route = routes.find((one) => one.path.test(path));
    if (route === undefined) return next();
    request.context.route = request.baseUrl + route.pattern;
    const [, rest = ""] = route.path.exec(path) ?? [];
    serve(route, rest, query, request, response, services).catch(next);
  };
}

async function serve(
  { methods, parameters: known }: AdminRoute,
  rest: string,
  query: string,
  request: Request,
  response: Response,
  { store, callerOf }: AdminServices,
): Promise<void> {
  const run = methods[request.method === "HEAD" ? "GET" : request.method];
  if (run === undefined) throw methodNotAllowed(Object.keys(methods).flatMap(withHead));
  response.setHeader("Cache-Control", "no-store");
  const { principal } = await callerOf(request, response);
  requireAdministrator(principal);
  const problems: Problem[] = [];
  const parameters = readQueryString(query, problems);
  for (const field of parameters.keys())
    if (!known.includes(field)) problems.push({ field, message: "is not a parameter of this route" });
  sendSuccess(response, await run({ store, rest, parameters, problems }));
}

function withHead(method: string): readonly string[] {
  return method === "GET" ? ["GET", "HEAD"] : [method];
}

function requireAdministrator({ user_id, role }: Principal): void {
  if (user_id === null)
    throw new ServiceError("MISSING_TOKEN", "This route needs an access token or an API key.");
  if (!isAdministrator(role)) throw new ServiceError("PERMISSION_DENIED");
}

const defaultLimit = 100;
const maxLimit = 1000;

/** `GET /admin/rate-limits`: the counters whose keys begin with `prefix`, by key. */
async function listCounters({ store, parameters, problems }: AdminCall): Promise<SuccessResponse> {
  const limit = parameters.get("limit") ?? String(defaultLimit);
  if (!/^\d+$/.test(limit) || Number(limit) < 1)
    problems.push({ field: "limit", message: "must be a whole number of at least 1" });
  refuseProblems(problems);
  const counters = await store.list(parameters.get("prefix") ?? "", Math.min(Number(limit), maxLimit));
  const message = counters.length === 1 ? "1 counter" : `${counters.length} counters`;
  return { message, data: JSON.stringify({ counters: counters.map(counterJson) }) };
}

/** `GET /admin/rate-limits/{key}`. Errors: `NOT_FOUND`. */
async function showCounter({ store, rest, problems }: AdminCall): Promise<SuccessResponse> {
  const key = decodePart(rest);
  refuseProblems(problems);
  const counter = await store.find(key);
  if (counter === null) throw noSuchCounter();
  return { message: "1 counter", data: JSON.stringify(counterJson(counter)) };
}

/** `DELETE /admin/rate-limits/{key}`. Errors: `NOT_FOUND`. */
async function resetCounter({ store, rest, problems }: AdminCall): Promise<SuccessResponse> {
  const key = decodePart(rest);
  refuseProblems(problems);
  if (!(await store.reset(key))) throw noSuchCounter();
  return { message: "The counter was reset.", data: JSON.stringify({ key, reset: true }) };
}

function noSuchCounter(): ServiceError {
  return new ServiceError("NOT_FOUND", "Nothing is counted under this key.");
}

function counterJson({ key, count, maxRequests, windowSeconds, resetAt }: Counter) {
  return {
    key,
    count,
    max_requests: maxRequests,
    window_seconds: windowSeconds,
    reset_at: new Date(resetAt).toISOString(),
  };
}
