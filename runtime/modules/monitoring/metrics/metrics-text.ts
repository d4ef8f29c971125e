import type { Counter, Gauge, OpenMetricsContentType, Registry } from "prom-client";
import type { MetricSources } from "../monitoring.ts";
import { type RequestMetrics, requestsText } from "./request-metrics.ts";

const end = "# EOF\n";

/** Renders OpenMetrics 1.0 text (docs/monitoring.md#metrics). Loads prom-client in the background. */
export function metricsText(measured: MetricsOptions): () => Promise<string> {
  const registries = Promise.all([ofService(measured), processMetrics()]);
  // Each scrape reports the error.
  registries.catch(() => {});
  return async () => {
    const texts = await Promise.all((await registries).map((registry) => registry.metrics()));
    const others = texts.map((text) => canonical(text.slice(0, -end.length)));
    return [await requestsText(measured.requests), ...others, end].join("");
  };
}

async function ofService(measured: MetricsOptions) {
  const client = await loadClient();
  const { Registry } = client;
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  addServiceMetrics(registry, client, measured);
  return registry;
}

/** Strict parsers need float bucket edges, but prom-client prints whole numbers without a fraction. */
function canonical(text: string): string {
  return text.replace(/([{,]le="\d+)"/g, '$1.0"');
}

interface MeasuredQueue {
  readonly depth: number;
  readonly dropped: number;
}

/** Sources of the service's own metrics (docs/monitoring.md#metrics). */
interface MetricsOptions extends MetricSources {
  readonly requests: RequestMetrics;
  readonly queues: Readonly<Record<"records" | "logs" | "shipping", MeasuredQueue>>;
}

/** Registers the service's metrics, except for those of requests. Each scrape reads their sources. */
function addServiceMetrics(
  registry: Registry<OpenMetricsContentType>,
  client: Client,
  measured: MetricsOptions,
): void {
  const registers = [registry];
  const ofJobs = measured.jobs === undefined ? [] : jobGauges(measured.jobs);
  for (const gauge of [...gauges(measured), ...ofJobs]) new client.Gauge({ ...gauge, registers });
  for (const counter of counters(measured)) new client.Counter({ ...counter, registers });
}

function jobGauges(jobs: NonNullable<MetricsOptions["jobs"]>) {
  return [
    {
      name: "kirak_jobs",
      help: "Waiting, running and dead jobs.",
      labelNames: ["state"],
      async collect(this: Gauge) {
        const figures = await jobs();
        this.reset();
        for (const state of ["waiting", "running", "dead"] as const)
          if (figures !== null) this.set({ state }, figures[state]);
      },
    },
    {
      name: "kirak_job_oldest_seconds",
      help: "Waiting time of the oldest job that is due.",
      async collect(this: Gauge) {
        this.set((await jobs())?.oldestSeconds ?? Number.NaN);
      },
    },
  ];
}

function gauges({ requests, queues, connections }: MetricsOptions) {
  return [
    {
      name: "kirak_http_requests_in_flight",
      help: "Requests in progress, without this one.",
      collect(this: Gauge) {
        this.set(Math.max(0, requests.inFlight - 1));
      },
    },
    {
      name: "kirak_monitoring_queue_depth",
      help: "Records that wait to be stored or sent to the log collector.",
      labelNames: ["queue"],
      collect(this: Gauge) {
        for (const [queue, { depth }] of Object.entries(queues)) this.set({ queue }, depth);
      },
    },
    {
      name: "kirak_database_connections",
      help: "Idle and used connections to PostgreSQL, and requests that wait for one.",
      labelNames: ["state"],
      collect(this: Gauge) {
        for (const [state, count] of Object.entries(connections())) this.set({ state }, count);
      },
    },
  ];
}

function counters({ queues, uncounted, accountEvents }: MetricsOptions) {
  return [
    {
      name: "kirak_monitoring_dropped_total",
      help: "Records that were dropped because a queue was full, or a write or request failed.",
      labelNames: ["queue"],
      collect(this: Counter) {
        this.reset();
        for (const [queue, { dropped }] of Object.entries(queues)) this.inc({ queue }, dropped);
      },
    },
    {
      name: "kirak_rate_limit_uncounted_total",
      help: "Requests that were not counted, because the store of rate limits was not available.",
      collect(this: Counter) {
        this.reset();
        this.inc(uncounted());
      },
    },
    {
      name: "kirak_account_events_total",
      help: "Acts of users and administrators on accounts.",
      labelNames: ["event"],
      collect(this: Counter) {
        this.reset();
        for (const [event, count] of accountEvents()) this.inc({ event }, count);
      },
    },
  ];
}

let shared: Promise<Registry<OpenMetricsContentType>> | null = null;

/** prom-client's process metrics. It measures event loop delays from the first call on, once per process. */
function processMetrics(): Promise<Registry<OpenMetricsContentType>> {
  shared ??= loadClient().then(processRegistry);
  return shared;
}

function processRegistry({
  Counter,
  Registry,
  collectDefaultMetrics,
}: Client): Registry<OpenMetricsContentType> {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  const { user, system } = process.cpuUsage();
  collectDefaultMetrics({ register: registry });
  // prom-client counts from its start, but the process has used CPU time before.
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

/** prom-client, loaded only if the module is on. */
type Client = typeof import("prom-client");

async function loadClient(): Promise<Client> {
  return import("prom-client");
}
