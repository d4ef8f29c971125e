import { createSecretKey } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import type { OutgoingHttpHeaders } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import type { MonitoringSettings } from "#runtime/core/config/index";
import { createMonitoring, LogCapture } from "#runtime/modules/monitoring/index";
import type { Json } from "#vocabulary/json";
import { afterFile } from "./after-file.ts";
import { eventually } from "./eventually.ts";
import { monitoringWorker } from "./monitoring-store.ts";
import type { Reply } from "./request.ts";
import { type FixturePeers, type Settings, type TestService, testService } from "./service.ts";

/** Opens `/monitoring` of the service below. */
export const ingestionKey = "the-ingestion-key-of-the-tests-0123456789";

/** The fixture's service with the monitoring module, whose store is in a folder of its own. */
export interface MonitoredTestService extends TestService {
  readonly settings: MonitoringSettings;
  /** Resolves when so many requests are in the store: a request is recorded once its answer is gone, and written later. */
  written(requests: number): Promise<void>;
  /** Asks a route below `/monitoring`, with the key: `GET /summary`. */
  ask(what: string, sent?: { readonly headers?: OutgoingHttpHeaders; readonly body?: Json }): Promise<Reply>;
}

/** What holds where the manifest says nothing but `"modules": ["monitoring"]`, with a key; records are written all the time. */
const unset: Omit<MonitoringSettings, "databasePath"> = {
  batchIntervalSeconds: 0.02,
  retentionDays: 7,
  sampleRate: 1,
  slowRequestMs: 500,
  maxDatabaseMb: 200,
  queueSize: 10_000,
  logs: { level: "warn", queueSize: 5_000, shipping: null },
  ingestionKey: createSecretKey(Buffer.from(ingestionKey)),
};

/** All is closed, and the store removed, after the test file. `now` is the clock of monitoring, and `start` makes the service. */
export async function monitoredService(
  monitoring: Partial<MonitoringSettings> = {},
  settings: Settings = {},
  { now, ...peers }: FixturePeers = {},
  start: (settings: Settings, peers: FixturePeers) => Promise<TestService> = testService,
): Promise<MonitoredTestService> {
  const worker = monitoringWorker();
  const folder = mkdtempSync(join(tmpdir(), "kirak-monitoring-"));
  afterFile(() => rmSync(folder, { recursive: true, force: true }));
  const all = { ...unset, databasePath: join(folder, "metrics.db"), ...monitoring };
  const capture = new LogCapture(all.logs, "tests");
  const service = await start(
    { ...settings, monitoring: all },
    {
      capture,
      monitor: ({ config, log }) =>
        createMonitoring({ config, settings: all, log, worker, capture, ...(now && { now }) }),
      ...peers,
    },
  );
  const ask: MonitoredTestService["ask"] = (what, { headers, body } = {}) => {
    const [method = "", path = ""] = what.split(" ");
    const authorization = `Bearer ${ingestionKey}`;
    return service.send({ method, path: `/monitoring${path}`, headers: { authorization, ...headers }, body });
  };
  return {
    ...service,
    settings: all,
    ask,
    written: (requests) =>
      eventually(async () => {
        const { envelope } = await ask("GET /summary?window_seconds=2592000");
        expect(envelope.data).toMatchObject({ requests });
      }),
  };
}
