import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { maxBuckets } from "../../../../vocabulary/monitoring.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import { sendSuccess } from "../../../core/http/index.ts";
import type { ReadName, Reads, StoreHealth } from "../records/reads.ts";
import { StoreUnreachable } from "../store/worker-store.ts";
import type { MonitoringCall, MonitoringRoute, QueueState, ReadServices } from "./monitoring-router.ts";
import {
  type Parameters,
  parseParameters,
  refuseParameters,
  timeBuckets,
  timeWindow,
  type Values,
} from "./parameters.ts";

interface RouteInput {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Value of the name in the path. */
  readonly pathParameter: string;
}

/** A route with one store read. `title` is the message of the response. */
export function storeRoute<Name extends ReadName, Known extends Parameters>(
  title: string,
  name: Name,
  known: Known,
  argsOf: (values: Values<Known>, asked: RouteInput) => Reads[Name]["args"],
): MonitoringRoute {
  return {
    async run(call) {
      const values = readParameters(known, call);
      const { services, pathParameter: named, response } = call;
      const data = await readStore(
        services,
        name,
        argsOf(values, { now: services.now(), pathParameter: named }),
      );
      if (data === "null") throw new ServiceError("NOT_FOUND", "Nothing is recorded under this id.");
      sendSuccess(response, { message: title, data });
    },
  };
}

/** Reads with exactly these arguments. */
type ReadsWithArgs<Asks> = {
  [Name in ReadName]: [Asks, Reads[Name]["args"]] extends [Reads[Name]["args"], Asks] ? Name : never;
}[ReadName];

type WindowRead = ReadsWithArgs<Reads["summary"]["args"]>;
type BucketsRead = ReadsWithArgs<Reads["timeseries"]["args"]>;

/** A read over a time window. */
export function windowRoute(title: string, name: WindowRead): MonitoringRoute {
  return storeRoute(title, name, timeWindow, ({ window_seconds: windowSeconds }, { now }) => ({
    now,
    windowSeconds,
  }));
}

/** A read over a time window, in buckets. */
export function bucketsRoute(title: string, name: BucketsRead): MonitoringRoute {
  const { run } = storeRoute(title, name, timeBuckets, (values, { now }) => ({
    now,
    windowSeconds: values.window_seconds,
    bucketSeconds: values.bucket_seconds,
  }));
  return {
    run(call) {
      requireFewBuckets(call);
      return run(call);
    },
  };
}

/** The parameters of a call. Errors: 422. */
export function readParameters<Known extends Parameters>(known: Known, call: MonitoringCall): Values<Known> {
  const values = parseParameters(known, call.parameters, call.problems);
  refuseParameters(call.problems);
  return values;
}

function requireFewBuckets(call: MonitoringCall): void {
  const { window_seconds: window, bucket_seconds: bucket } = readParameters(timeBuckets, call);
  if (window / bucket <= maxBuckets) return;
  refuseParameters([
    { field: "bucket_seconds", message: `must divide the window into at most ${maxBuckets} buckets` },
  ]);
}

/** Reads the store. Errors: 503 `HTTP_ERROR` while the store is unavailable. */
async function readStore<Name extends ReadName>(
  { store }: Pick<ReadServices, "store">,
  name: Name,
  asked: Reads[Name]["args"],
): Promise<string> {
  const text = await readIfReachable(store.read(name, asked));
  if (text !== null) return text;
  const options = { status: 503, headers: { "Retry-After": "5" } };
  throw new ServiceError(
    "HTTP_ERROR",
    "The monitoring store cannot be reached right now.",
    undefined,
    options,
  );
}

/** Null while the store is unavailable. */
export async function readIfReachable(reading: Promise<string>): Promise<string | null> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof StoreUnreachable) return null;
    throw error;
  }
}

/** `GET /monitoring/health`: state of store and queues; also responds without the store. */
export const storeHealth: MonitoringRoute = {
  async run(call) {
    readParameters({}, call);
    const health = await healthOf(call.services);
    sendSuccess(call.response, { message: `store ${health.store}`, data: JSON.stringify(health) });
  },
};

let version: string | null = null;

async function healthOf({ store, queues, settings, startedAt, now }: ReadServices): Promise<StoreHealth> {
  version ??= runtimeVersion();
  const size = await readIfReachable(store.read("size", {}));
  return {
    store: size === null ? "unreachable" : "ok",
    queues: { records: stateOf(queues.records), logs: stateOf(queues.logs) },
    db_size_bytes: size === null ? null : Number(size),
    max_db_size_mb: settings.maxDatabaseMb,
    version,
    node_version: process.versions.node,
    started_at: new Date(startedAt).toISOString(),
    uptime_seconds: Math.round((now() - startedAt) / 1000),
  };
}

function stateOf({ depth, max, dropped }: QueueState): QueueState {
  return { depth, max, dropped };
}

const openMetrics = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/** `GET /monitoring/metrics`: OpenMetrics 1.0 without an envelope, from the counters of this process. */
export const metricsExport: MonitoringRoute = {
  async run(call) {
    readParameters({}, call);
    const text = await call.services.metrics();
    const { response } = call;
    response.setHeader("Content-Type", openMetrics);
    response.setHeader("Content-Length", Buffer.byteLength(text));
    response.end(text);
  },
};

/** Version of the package of this file; null without a package. */
function runtimeVersion(folder = import.meta.dirname): string | null {
  const path = join(folder, "package.json");
  if (existsSync(path)) {
    const { name, version }: { name?: unknown; version?: unknown } = JSON.parse(readFileSync(path, "utf8"));
    if (name === "kirak" && typeof version === "string") return version;
  }
  const above = dirname(folder);
  return above === folder ? null : runtimeVersion(above);
}
