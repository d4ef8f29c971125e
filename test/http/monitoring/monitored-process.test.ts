import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { NodeSqlite } from "#runtime/modules/monitoring/worker/database/sqlite";
import { afterFile } from "../../support/after-file.ts";
import { testDatabase } from "../../support/database.ts";
import { eventually } from "../../support/eventually.ts";
import { ingestionKey } from "../../support/monitoring.ts";
import { type Reply, sendRequest } from "../../support/request.ts";
import { type ServiceProcess, startServiceProcess } from "../../support/service-process.ts";

const { url } = await testDatabase();

/** The folder of an app with the module. */
function appWith(monitoring: Readonly<Record<string, unknown>>): string {
  const root = mkdtempSync(join(tmpdir(), "kirak-monitored-"));
  afterFile(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, "models"));
  const manifest = { modules: ["monitoring"], monitoring, server: { shutdown_timeout_seconds: 5 } };
  writeFileSync(join(root, "models/manifest.json"), JSON.stringify(manifest));
  return root;
}

// An interval that no test lives to see: what is written is written by the end of the process.
const root = appWith({ batch_interval_seconds: 3600, db_path: "metrics.db" });

const program = new URL("../../runtime/process/service-in-process.ts", import.meta.url);
const start = (environment: Record<string, string> = {}) =>
  startServiceProcess(program, root, {
    SERVICE_DATABASE_URL: url,
    SERVICE_MONITORING_INGESTION_KEY: ingestionKey,
    ...environment,
  });

async function ask(
  service: ServiceProcess,
  path: string,
  headers: Record<string, string> = {},
): Promise<Reply> {
  const authorization = `Bearer ${ingestionKey}`;
  return sendRequest(await service.listening(), {
    method: "GET",
    path,
    headers: { authorization, ...headers },
  });
}

/** Lines of the log at this level of pino or above. */
function troubles({ output }: ServiceProcess): readonly { readonly level: number; readonly msg: string }[] {
  const lines = output()
    .split("\n")
    .filter((line) => line.startsWith("{"));
  return lines.map((line) => JSON.parse(line)).filter(({ level }) => level >= 40);
}

describe("what waits is written when the process ends", () => {
  test.concurrent.each<[string, (service: ServiceProcess) => unknown, number]>([
    ["by a signal", ({ child }) => child.kill("SIGTERM"), 0],
    ["by a crash", (service) => ask(service, "/thrown").catch(() => null), 1],
  ])("%s", async (title, end, code) => {
    const service = start();
    const id = title.replaceAll(" ", "-");
    expect((await ask(service, "/nothing", { "x-request-id": id })).status).toBe(404);
    expect((await ask(service, `/monitoring/trace/${id}`)).status).toBe(404);
    await end(service);
    expect(await service.exit).toBe(code);
    const next = start();
    const { envelope } = await ask(next, `/monitoring/trace/${id}`);
    expect(envelope.data).toMatchObject({ request: { request_id: id, route: "unmatched", status: 404 } });
    next.child.kill("SIGKILL");
  });
});

describe.skipIf(NodeSqlite.isAvailable())(
  "without SQLite the service works, and one line says why nothing is kept",
  () => {
    const hook = (code: string) => {
      const path = join(root, "hook.cjs");
      writeFileSync(path, code);
      return { NODE_OPTIONS: `--require ${path}` };
    };
    test.concurrent.each<[string, string]>([
      [
        "its binary is one of another platform",
        `const load = process.dlopen;
       process.dlopen = (module, path, ...rest) => {
         if (/better_sqlite3/.test(path)) throw Object.assign(new Error(path + ": invalid ELF header"), { code: "ERR_DLOPEN_FAILED" });
         return load.call(process, module, path, ...rest);
       };`,
      ],
      [
        "it is not installed",
        `const Module = require("node:module");
       const resolve = Module._resolveFilename;
       Module._resolveFilename = (name, ...rest) => resolve.call(Module, name === "better-sqlite3" ? "better-sqlite3-is-not-here" : name, ...rest);`,
      ],
    ])("%s", async (_, code) => {
      const service = start(hook(code));
      await eventually(async () => {
        const { envelope } = await ask(service, "/monitoring/health");
        expect(envelope.data).toMatchObject({ store: "unreachable" });
      });
      expect((await ask(service, "/nothing")).status).toBe(404);
      expect((await ask(service, "/monitoring/summary")).status).toBe(503);
      expect((await ask(service, "/monitoring/metrics")).status).toBe(200);
      service.child.kill("SIGTERM");
      expect(await service.exit).toBe(0);
      const said = troubles(service).filter(({ msg }) => /monitor|sqlite/i.test(msg));
      expect(said).toMatchObject([{ level: 40, msg: expect.stringMatching(/better-sqlite3/) }]);
    });
  },
);

test.concurrent("a service without a given monitoring creates one from the manifest, which keeps no process alive", async () => {
  const own = appWith({ batch_interval_seconds: 1, db_path: "own.db" });
  const { exit, output } = startServiceProcess(new URL("idle-process.ts", import.meta.url), own, {
    SERVICE_DATABASE_URL: url,
    SERVICE_MONITORING_INGESTION_KEY: ingestionKey,
  });
  expect(await exit, output()).toBe(0);
  expect(output()).toContain('"route":"unmatched","status":404');
});
