import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import pino from "pino";
import type { TestProject } from "vitest/node";
// Relative paths, since vitest loads a global setup without the conditions of the projects.
import { testDatabaseVariable } from "../../runtime/core/config/environment-variables.ts";
import { isAlive } from "../../runtime/migrations/embedded-postgres/cluster.ts";
import { findPostmaster } from "../../runtime/migrations/embedded-postgres/embedded.ts";
import { startEmbedded } from "../../runtime/migrations/embedded-postgres/index.ts";
import { disposableSettings } from "../../runtime/testing/test-server.ts";
import { compile } from "../../scripts/run/compile.js";

declare module "vitest" {
  interface ProvidedContext {
    /** Of a superuser, on the server that all tests of a run share. */
    postgresUrl: string;
    /** A folder on a disk that goes with the run, for what is large; any user may enter. */
    runFolder: string;
  }
}

/** A file system in memory: half of what a new database or project costs is files on a disk. */
const memory = "/dev/shm";
/** About five times what a run needs. */
const bytesNeeded = 1024 ** 3;

/** Starts one PostgreSQL for the whole run, in a temporary folder: in memory if enough is free. */
export default async function setUp(project: TestProject): Promise<() => Promise<void>> {
  if (!compile(["lib", "programs", "declarations"])) throw new Error("the repository cannot be compiled");
  removeAbandoned();
  const prefix = `kirak-test-${process.pid}-`;
  const onDisk = mkdtempSync(join(tmpdir(), prefix));
  chmodSync(onDisk, 0o755);
  project.provide("runFolder", onDisk);
  const home = mkdtempSync(join(hasSpace(memory) ? memory : tmpdir(), prefix));
  // As root the server runs under another account, which must be able to enter.
  chmodSync(home, 0o755);
  // What tests leave behind goes with it, also after a run that was killed.
  const temporary = join(home, "tmp");
  mkdirSync(temporary);
  chmodSync(temporary, 0o1777);
  process.env["TMPDIR"] = temporary;
  const server = await startEmbedded({ home, settings: disposableSettings, log: pino({ level: "warn" }) });
  await cheapenLogins(server.url);
  project.provide("postgresUrl", server.url);
  process.env[testDatabaseVariable] = server.url;
  return async () => {
    await server.stop();
    for (const folder of [home, onDisk]) rmSync(folder, { recursive: true, force: true });
  };
}

/** In a container /dev/shm can have only 64 MB. Its files use memory, so both must have enough free bytes. */
function hasSpace(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, process.availableMemory()) >= bytesNeeded;
  } catch {
    return false;
  }
}

/** Tests connect some thousands of times: without the rounds that are to slow down who guesses the password. */
async function cheapenLogins(url: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  await client.query("set scram_iterations = 1");
  await client.query(`alter role current_user password ${pg.escapeLiteral(new URL(url).password)}`);
  await client.end();
}

/** Servers of runs that were killed. */
function removeAbandoned(): void {
  for (const folder of [tmpdir(), memory].filter((path) => existsSync(path))) removeAbandonedIn(folder);
}

function removeAbandonedIn(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pid = /^kirak-test-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const home = join(folder, name);
    const server = findPostmaster(join(home, "postgres"));
    if (server !== null) process.kill(server.pid, "SIGQUIT");
    rmSync(home, { recursive: true, force: true, maxRetries: 10 });
  }
}
