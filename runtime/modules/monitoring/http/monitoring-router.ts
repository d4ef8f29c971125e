import { createHash, type KeyObject, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import type { MonitoringSettings } from "../../../core/config/index.ts";
import { type Problem, ServiceError } from "../../../core/errors/index.ts";
import { decodePart, methodNotAllowed, readQueryString, splitUrl } from "../../../core/http/index.ts";
import type { BoundedQueue } from "../store/bounded-queue.ts";
import type { MonitoringStore } from "../store/worker-store.ts";

export interface MountedRoute extends MonitoringRoute {
  readonly method: "GET" | "POST";
  /** Below `/monitoring`. The last segment can be a name in braces. */
  readonly path: string;
}

interface RouteMatch {
  readonly route: MountedRoute;
  /** As sent. */
  readonly pathParameter: string;
}

/** Serves the monitoring routes. `serve` runs its checks before those of the route. */
export function monitoringRouter(routes: readonly MountedRoute[], services: RouterServices): RequestHandler {
  const byPath = new Map(routes.map((route) => [route.path, route]));
  const requireKey = requireIngestionKey(services.settings.ingestionKey);
  return (request, response, next) => {
    request.context.isRecorded = false;
    const { path, query } = splitUrl(request.url);
    const found = find(byPath, path);
    if (found === null) return next();
    request.context.route = request.baseUrl + found.route.path;
    serve(found, query, requireKey, request, response, services).catch(next);
  };
}

/** Finds a route by its exact path, else by all but the last segment. */
function find(byPath: ReadonlyMap<string, MountedRoute>, path: string): RouteMatch | null {
  const whole = byPath.get(path);
  if (whole !== undefined && !path.endsWith("}")) return { route: whole, pathParameter: "" };
  const slash = path.lastIndexOf("/") + 1;
  const named = path.slice(slash);
  const route = [...byPath.values()].find(
    (one) => one.path.endsWith("}") && one.path.slice(0, one.path.indexOf("{")) === path.slice(0, slash),
  );
  return route === undefined || named === "" ? null : { route, pathParameter: named };
}

/** Checks method, credential and parameters, then runs the route. */
async function serve(
  { route, pathParameter: named }: RouteMatch,
  query: string,
  requireKey: RequireKey,
  request: Request,
  response: Response,
  services: RouterServices,
): Promise<void> {
  const { method } = request;
  if (method !== route.method && !(method === "HEAD" && route.method === "GET"))
    throw methodNotAllowed(route.method === "GET" ? ["GET", "HEAD"] : [route.method]);
  response.setHeader("Cache-Control", "no-store");
  if (route.open !== true) requireKey(request.headers);
  const problems: Problem[] = [];
  const parameters = readQueryString(query, problems);
  await route.run({ services, request, response, pathParameter: decodePart(named), parameters, problems });
}

/** Requires the ingestion key. Errors: `MISSING_TOKEN`, 503 `HTTP_ERROR`, `INVALID_TOKEN`. */
type RequireKey = (headers: IncomingHttpHeaders) => void;

/** Callers with the key can read all records (docs/monitoring.md#the-key). If no key is set, no caller can. */
function requireIngestionKey(key: KeyObject | null): RequireKey {
  const expected = key === null ? null : digest(key.export());
  return ({ authorization = "" }) => {
    const token = /^Bearer +(\S+)$/i.exec(authorization)?.[1];
    if (token === undefined)
      throw new ServiceError("MISSING_TOKEN", "This route needs the ingestion key as a Bearer token.");
    if (expected === null)
      throw new ServiceError("HTTP_ERROR", "No ingestion key is configured.", undefined, { status: 503 });
    if (!timingSafeEqual(expected, digest(Buffer.from(token, "latin1"))))
      throw new ServiceError("INVALID_TOKEN", "This is not the ingestion key.");
  };
}

/** A fixed length, so that timing does not reveal the length of the key. */
function digest(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

export type QueueState = Pick<BoundedQueue<unknown>, "depth" | "max" | "dropped">;

/** Dependencies of the monitoring routes. */
export interface ReadServices {
  readonly settings: Pick<MonitoringSettings, "maxDatabaseMb" | "ingestionKey">;
  readonly store: Pick<MonitoringStore, "read">;
  readonly queues: { readonly records: QueueState; readonly logs: QueueState };
  /** OpenMetrics text. */
  readonly metrics: () => Promise<string>;
  /** When the process began to monitor; milliseconds since 1970. */
  readonly startedAt: number;
  /** The clock; milliseconds since 1970. */
  readonly now: () => number;
}

/** Names that `routes` of an alert check can use: model keys and route patterns with their prefixes. */
export type AlertNames = ReadonlySet<string>;

export interface RouterServices extends ReadServices {
  readonly names: AlertNames;
  readonly bodyLimitBytes: number;
}

/** An authorised request. */
export interface MonitoringCall {
  readonly services: RouterServices;
  readonly request: Request;
  readonly response: Response;
  /** Value of the name in braces; empty without one. */
  readonly pathParameter: string;
  readonly parameters: ReadonlyMap<string, string>;
  /** Validation problems so far. */
  readonly problems: Problem[];
}

/** A monitoring route (docs/monitoring.md#routes). It writes its response. */
export interface MonitoringRoute {
  /** Needs no key. */
  readonly open?: boolean;
  readonly run: (call: MonitoringCall) => Promise<void>;
}
