import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { RequestRecord } from "#runtime/modules/monitoring/records/monitoring-records";
import type { ReadName, Reads } from "#runtime/modules/monitoring/records/reads";
import { WorkerStore, type WorkerStoreOptions } from "#runtime/modules/monitoring/store/worker-store";
import { MonitoringFile } from "#runtime/modules/monitoring/worker/monitoring-file";
import { compiled } from "./compiled.ts";

/** The program of the store's worker thread: a thread cannot run its sources. */
export function monitoringWorker(): URL {
  return compiled(new URL("../../runtime/modules/monitoring/worker/monitoring-worker.ts", import.meta.url));
}

/** A path for a store, where nothing is yet. */
export function storePath(): string {
  return join(mkdtempSync(join(tmpdir(), "monitoring-")), "metrics.db");
}

/** A store in a worker, and the lines that it logs. The caller closes it. */
export function startStore(path: string, options: Partial<WorkerStoreOptions> = {}) {
  const said: string[] = [];
  const log = { info: (line: string) => said.push(line), warn: (line: string) => said.push(line) };
  const settings = { path, retentionDays: 7, maxDatabaseMb: 200, log, program: monitoringWorker() };
  return { store: new WorkerStore({ ...settings, ...options }), said };
}

/** A request as it is recorded, with what a test cares about. */
export function requestRecord(own: Partial<RequestRecord> = {}): RequestRecord {
  return {
    kind: "request",
    requestId: "request-1",
    at: Date.now(),
    method: "GET",
    route: "/books/fetch",
    model: "books",
    operation: "fetch",
    status: 200,
    durationMs: 1.5,
    bytes: 100,
    userId: null,
    role: "guest",
    errorCode: null,
    steps: null,
    failure: null,
    ...own,
  };
}

/** The file of a store in this process, and its log. */
export function openStore(path: string, { retentionDays = 7, maxDatabaseMb = 200 } = {}) {
  const said: string[] = [];
  const file = new MonitoringFile({ path, retentionDays, maxDatabaseMb }, (_, message) => said.push(message));
  file.start();
  const read = <Name extends ReadName>(name: Name, asked: Reads[Name]["args"]): Reads[Name]["result"] =>
    JSON.parse(file.read({ kind: "read", id: 1, until: 0, name, args: asked }));
  return { file, said, read };
}
