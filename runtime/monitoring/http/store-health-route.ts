import { sendAnswer } from "../../http/index.ts";
import type { StoreHealth } from "../records/reads.ts";
import type { MonitoringRead, MonitoringRoute, QueueState } from "./monitoring-route.ts";
import { runtimeVersion } from "./runtime-version.ts";
import { readIfReachable, valuesOf } from "./store-answers.ts";

/** `GET /monitoring/health`: how store and queues are; it answers without the store, too. */
export const storeHealth: MonitoringRoute = {
  async run(call) {
    valuesOf({}, call);
    const health = await healthOf(call.services);
    sendAnswer(call.response, { message: `store ${health.store}`, data: JSON.stringify(health) });
  },
};

let version: string | null = null;

async function healthOf({ store, queues, settings, startedAt, now }: MonitoringRead): Promise<StoreHealth> {
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
