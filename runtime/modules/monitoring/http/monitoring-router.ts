import { createHash, type KeyObject, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Request, RequestHandler, Response } from "express";
import type { MonitoringSettings } from "../../../core/config/index.ts";
import { type Problem, ServiceError } from "../../../core/errors/index.ts";
import { decodePart, methodNotAllowed, readQueryString, splitUrl } from "../../../core/http/index.ts";
import type { Queue } from "../store/bounded-queue.ts";
import type { MonitoringStore } from "../store/worker-store.ts";

/** A route with its place. */
export interface PlacedRoute extends MonitoringRoute {
  readonly method: "GET" | "POST";
  /** Below `/monitoring`. A name in braces stands for one segment, the last. */
  readonly path: string;
}

interface Found {
  readonly route: PlacedRoute;
  /** As it was sent. */
  readonly named: string;
}

/** Serves the routes of monitoring, below where it is mounted. The order of a request is in `serve`, and in `run` of its route after it. */
export function monitoringRouter(routes: readonly PlacedRoute[], services: RouterServices): RequestHandler {
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

/** The route of a path: by the path itself, else by all but its last segment. */
function find(byPath: ReadonlyMap<string, PlacedRoute>, path: string): Found | null {
  const whole = byPath.get(path);
  if (whole !== undefined && !path.endsWith("}")) return { route: whole, named: "" };
  const slash = path.lastIndexOf("/") + 1;
  const named = path.slice(slash);
  const route = [...byPath.values()].find(
    (one) => one.path.endsWith("}") && one.path.slice(0, one.path.indexOf("{")) === path.slice(0, slash),
  );
  return route === undefined || named === "" ? null : { route, named };
}

/** Method, credential, parameters; the rest is the route's. */
async function serve(
  { route, named }: Found,
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
  await route.run({ services, request, response, named: decodePart(named), parameters, problems });
}

/** Refuses a request whose headers do not hold the ingestion key. Errors: `MISSING_TOKEN`, 503 `HTTP_ERROR`, `INVALID_TOKEN`. */
type RequireKey = (headers: IncomingHttpHeaders) => void;

/** Callers with the key can read what monitoring recorded (docs/monitoring.md#the-key). Without a configured key no caller can. */
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

/** Of one length whatever was sent, so that not even the length of the key can be measured. */
function digest(bytes: Buffer): Buffer {
  return createHash("sha256").update(bytes).digest();
}

/** How full a queue is, and what did not fit. */
export type QueueState = Pick<Queue<unknown>, "depth" | "max" | "dropped">;

/** What the routes of monitoring look at. */
export interface MonitoringRead {
  readonly settings: Pick<MonitoringSettings, "maxDatabaseMb" | "ingestionKey">;
  readonly store: Pick<MonitoringStore, "read">;
  readonly queues: { readonly records: QueueState; readonly logs: QueueState };
  /** The OpenMetrics text. */
  readonly metrics: () => Promise<string>;
  /** When the process began to monitor; milliseconds since 1970. */
  readonly startedAt: number;
  /** The clock; milliseconds since 1970. */
  readonly now: () => number;
}

/** What the `routes` of an alert check may name: keys of models, and patterns of routes with the prefixes in force. */
export type AlertNames = ReadonlySet<string>;

/** What one service has of its own. */
export interface RouterServices extends MonitoringRead {
  /** What alert checks may name. */
  readonly names: AlertNames;
  readonly bodyLimitBytes: number;
}

/** A request that may be answered at all. */
export interface MonitoringCall {
  readonly services: RouterServices;
  readonly request: Request;
  readonly response: Response;
  /** What stands in the path for the name in braces; empty where there is none. */
  readonly named: string;
  /** Of the query. */
  readonly parameters: ReadonlyMap<string, string>;
  /** What is wrong with them so far. */
  readonly problems: Problem[];
}

/** A route of the monitoring module (docs/monitoring.md#routes). It answers by itself. */
export interface MonitoringRoute {
  /** Whether it needs no key. */
  readonly open?: boolean;
  readonly run: (call: MonitoringCall) => Promise<void>;
}
