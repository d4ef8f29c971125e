import type { KeyObject } from "node:crypto";
import { isAbsolute, join, relative } from "node:path";
import type { Variables } from "./environment-variables.ts";
import { secretKey } from "./secret-keys.ts";
import type { StorageSettings } from "./storage-settings.ts";

/** The levels in the manifest, and their names in the log. */
const levels = { DEBUG: "debug", INFO: "info", WARNING: "warn", ERROR: "error", CRITICAL: "fatal" } as const;

/** The section `monitoring` of the manifest, with its defaults. */
export interface MonitoringManifest {
  readonly db_path: string;
  readonly batch_interval_seconds: number;
  readonly retention_days: number;
  readonly sample_rate: number;
  readonly slow_request_threshold_ms: number;
  readonly max_db_size_mb: number;
  readonly queue_max_size: number;
  readonly log_capture_level: keyof typeof levels;
  readonly log_queue_max_size: number;
  readonly log_ship_url: string | null;
  readonly log_ship_level: keyof typeof levels;
  readonly log_ship_batch_size: number;
}

/** A level of log records that can be captured. */
export type CaptureLevel = (typeof levels)[keyof typeof levels];

/** Where captured log records are sent. */
export interface LogShipping {
  readonly url: string;
  readonly level: CaptureLevel;
  /** Log records per request. */
  readonly batchSize: number;
  /** `SERVICE_MONITORING_LOG_SHIP_SECRET`; null: requests to the collector have no credential. */
  readonly secret: KeyObject | null;
}

/** The settings of monitoring. */
export interface MonitoringSettings {
  /** Absolute path of the store. */
  readonly databasePath: string;
  readonly batchIntervalSeconds: number;
  readonly retentionDays: number;
  /** The share of requests whose steps are kept, from 0 to 1. */
  readonly sampleRate: number;
  /** The steps of requests that take this long are always kept. */
  readonly slowRequestMs: number;
  readonly maxDatabaseMb: number;
  /** The maximum of waiting records. */
  readonly queueSize: number;
  readonly logs: {
    /** The lowest level that is captured. */
    readonly level: CaptureLevel;
    /** The maximum of waiting log records. */
    readonly queueSize: number;
    /** Null: records are not sent. */
    readonly shipping: LogShipping | null;
  };
  /** `SERVICE_MONITORING_INGESTION_KEY`; null: no one can read the records. */
  readonly ingestionKey: KeyObject | null;
}

interface MonitoringSource {
  readonly root: string;
  readonly environment: Variables;
  readonly storage: StorageSettings | null;
}

/** Reads and checks the section. Null if the module is off. Adds errors to `problems`. */
export function readMonitoring(
  { modules, monitoring }: { readonly modules: readonly string[]; readonly monitoring: MonitoringManifest },
  { root, environment, storage }: MonitoringSource,
  problems: string[],
): MonitoringSettings | null {
  if (!modules.includes("monitoring")) return null;
  const { db_path: path } = monitoring;
  const databasePath = isAbsolute(path) ? path : join(root, path);
  problems.push(...servedStore(databasePath, storage));
  return {
    databasePath,
    batchIntervalSeconds: monitoring.batch_interval_seconds,
    retentionDays: monitoring.retention_days,
    sampleRate: monitoring.sample_rate,
    slowRequestMs: monitoring.slow_request_threshold_ms,
    maxDatabaseMb: monitoring.max_db_size_mb,
    queueSize: monitoring.queue_max_size,
    logs: {
      level: levels[monitoring.log_capture_level],
      queueSize: monitoring.log_queue_max_size,
      shipping: shippingOf(monitoring, environment, problems),
    },
    ingestionKey: keyOf(environment["SERVICE_MONITORING_INGESTION_KEY"]),
  };
}

/** Otherwise users of storage could read or replace the store. */
function servedStore(path: string, storage: StorageSettings | null): string[] {
  if (storage === null) return [];
  const { store } = storage;
  const folder = store.provider === "local" ? store.root : store.stagingFolder;
  const below = relative(folder, path);
  if (/^\.\.(?![^/\\])/.test(below) || isAbsolute(below)) return [];
  return [`monitoring.db_path must not be in the folder of files, ${folder}`];
}

function shippingOf(
  monitoring: MonitoringManifest,
  environment: Variables,
  problems: string[],
): LogShipping | null {
  const { log_ship_url: url, log_ship_level: level, log_ship_batch_size: batchSize } = monitoring;
  if (url === null) return null;
  if (!URL.canParse(url)) problems.push("monitoring.log_ship_url is not a URL");
  else if (new URL(url).username !== "" || new URL(url).password !== "")
    problems.push(
      "monitoring.log_ship_url must not hold a user or a password: set SERVICE_MONITORING_LOG_SHIP_SECRET",
    );
  const secret = keyOf(environment["SERVICE_MONITORING_LOG_SHIP_SECRET"]);
  return { url, level: levels[level], batchSize, secret };
}

function keyOf(text: string | undefined): KeyObject | null {
  return text ? secretKey(text) : null;
}
