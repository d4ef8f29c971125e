import type { OpenMetricsContentType, Registry } from "prom-client";
import { type Client, loadClient } from "./prometheus-client.ts";

let shared: Promise<Registry<OpenMetricsContentType>> | null = null;

/**
 * prom-client's own metrics of the process: its times, memory and event loop. The delays of the loop are measured from the first call
 * on, once for the process; all else is read when it is asked for.
 */
export function processMetrics(): Promise<Registry<OpenMetricsContentType>> {
  shared ??= loadClient().then(collected);
  return shared;
}

function collected({ Counter, Registry, collectDefaultMetrics }: Client): Registry<OpenMetricsContentType> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const { user, system } = process.cpuUsage();
  collectDefaultMetrics({ register: registry });
  // It counts from now on, and the process has been at work before.
  for (const [name, micros] of [
    ["process_cpu_user_seconds_total", user],
    ["process_cpu_system_seconds_total", system],
    ["process_cpu_seconds_total", user + system],
  ] as const) {
    const counter = registry.getSingleMetric(name);
    if (counter instanceof Counter) counter.inc(micros / 1e6);
  }
  return registry;
}
