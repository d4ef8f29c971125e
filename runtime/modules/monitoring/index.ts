/** Built-in monitoring: recording, reading, alerts, metrics. */
export { createMonitoring, type MonitoringOptions } from "./create-monitoring.ts";
export { LogCapture } from "./logs/log-capture.ts";
export type { MonitoredService, Monitoring } from "./monitoring.ts";
export type { RequestRecord } from "./records/monitoring-records.ts";
export type { ReadName, Reads } from "./records/reads.ts";
export { WorkerStore } from "./store/worker-store.ts";
