import { Router } from "express";
import type { Logger } from "pino";
import type { Config, MonitoringSettings } from "../../core/config/index.ts";
import { dashboardRoute } from "./dashboard/dashboard-route.ts";
import { alertNames } from "./http/alert-checks.ts";
import { monitoringRouter } from "./http/monitoring-router.ts";
import { monitoringRoutes } from "./http/monitoring-routes.ts";
import type { LogCapture } from "./logs/log-capture.ts";
import { LogShipping } from "./logs/log-shipping.ts";
import { metricsText } from "./metrics/metrics-text.ts";
import { RequestMetrics } from "./metrics/request-metrics.ts";
import type { Monitoring } from "./monitoring.ts";
import { FinishedRequests } from "./recording/finished-requests.ts";
import { hookMonitoring } from "./recording/hook-monitoring.ts";
import type { LogRecord, MonitoringRecord } from "./records/monitoring-records.ts";
import { BatchWriter } from "./store/batch-writer.ts";
import { BoundedQueue } from "./store/bounded-queue.ts";
import { WorkerStore } from "./store/worker-store.ts";

export interface MonitoringOptions {
  readonly config: Pick<
    Config,
    "servicePrefix" | "authPrefix" | "storage" | "server" | "social" | "auth" | "production"
  >;
  readonly settings: MonitoringSettings;
  readonly log: Logger;
  /** Captures the lines of `log`. Default: no capture. */
  readonly capture?: LogCapture | null;
  /** The compiled program of the worker, if the service runs from its sources. */
  readonly worker?: URL | undefined;
  /** The clock in milliseconds since 1970; default the system's. */
  readonly now?: () => number;
}

/** Default time for shutdown if the service sets none. */
const longestCloseMs = 5_000;

/** Minimum time for the worker to close the file. */
const leastCloseMs = 500;

const noQueue = { depth: 0, dropped: 0 };

/** Creates the monitoring module (docs/monitoring.md). It does not keep the process alive. */
export function createMonitoring({
  config,
  settings,
  log,
  capture = null,
  worker,
  now = Date.now,
}: MonitoringOptions): Monitoring {
  const startedAt = now();
  const queues = {
    records: new BoundedQueue<MonitoringRecord>(settings.queueSize),
    logs: capture?.toStore ?? new BoundedQueue<LogRecord>(settings.logs.queueSize),
  };
  const store = openStore(settings, log, worker);
  const writer = new BatchWriter({ store, ...queues, intervalSeconds: settings.batchIntervalSeconds });
  const shipping = startShipping(settings, capture, log);
  const requests = new RequestMetrics();
  return {
    requests: new FinishedRequests({ ...settings, records: queues.records, observer: requests, now }),
    forHooks: hookMonitoring(queues.records, now),
    router({ models, routes, ...sources }) {
      const measured = { ...queues, shipping: capture?.toShip ?? noQueue };
      const served = monitoringRouter(monitoringRoutes, {
        settings,
        store,
        queues,
        startedAt,
        now,
        metrics: metricsText({ requests, queues: measured, ...sources }),
        names: alertNames(config, models, routes),
        bodyLimitBytes: config.server.bodyLimitBytes,
      });
      return Router().use(dashboardRoute(), served);
    },
    async close(withinMs = longestCloseMs) {
      const end = performance.now() + withinMs;
      await Promise.all([writer.close(withinMs), shipping?.close(withinMs)]);
      await store.close(Math.max(leastCloseMs, end - performance.now()));
    },
  };
}

function openStore(settings: MonitoringSettings, log: Logger, program: URL | undefined): WorkerStore {
  const { databasePath: path, retentionDays, maxDatabaseMb } = settings;
  return new WorkerStore({ path, retentionDays, maxDatabaseMb, log, ...(program && { program }) });
}

/** Null without a collector. */
function startShipping(
  { logs }: MonitoringSettings,
  capture: LogCapture | null,
  log: Logger,
): LogShipping | null {
  const queue = capture?.toShip ?? null;
  if (logs.shipping === null || queue === null) return null;
  return new LogShipping({ settings: logs.shipping, queue, log });
}
