import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import type { TestProject } from "vitest/node";
import { isAlive } from "../../runtime/embedded-postgres/cluster.ts";
import { startEmbedded } from "../../runtime/embedded-postgres/index.ts";
import { findPostmaster } from "../../runtime/embedded-postgres/postmaster.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** Of a superuser, on the server that all tests of a run share. */
    postgresUrl: string;
    /** A folder that holds the repository as JavaScript. */
    compiledTree: string;
  }
}

/** Nothing in it outlives the run, so nothing needs to reach the disk. */
const settings = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  autovacuum: "off",
  max_connections: "200",
  shared_buffers: "64MB",
};

/** Starts one PostgreSQL for the whole run, in a temporary folder. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  project.provide(
    "compiledTree",
    execFileSync(process.execPath, ["scripts/run/compile-tests.js"], { encoding: "utf8" }),
  );
  removeAbandoned();
  const home = mkdtempSync(join(tmpdir(), `kirak-test-${process.pid}-`));
  // As root the server runs under another account, which must be able to enter.
  chmodSync(home, 0o755);
  const server = await startEmbedded({ home, settings, log: pino({ level: "warn" }) });
  project.provide("postgresUrl", server.url);
  return async () => {
    await server.stop();
    rmSync(home, { recursive: true, force: true });
  };
}

/** Servers of runs that were killed. */
function removeAbandoned(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = /^kirak-test-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const home = join(tmpdir(), name);
    const server = findPostmaster(join(home, "postgres"));
    if (server !== null) process.kill(server.pid, "SIGQUIT");
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  }
}
