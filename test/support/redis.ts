import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterFile } from "./after-file.ts";
import { freePort } from "./free-port.ts";
import { needs } from "./needs.ts";

/** For `describe.skipIf(!hasRedis)`. */
export const hasRedis = needs("redis-server") !== null;

export interface TestRedis {
  readonly url: string;
  /** Runs one command, on a connection of its own. */
  run(command: string, ...values: (string | number)[]): Promise<unknown>;
  /** Ends it without a goodbye. */
  kill(): Promise<void>;
  /** Starts it again on the same port: with what was saved, so empty unless a test ran `SAVE`. */
  start(): Promise<void>;
  /** From now on it sends no response and closes no connection. */
  pause(): void;
  resume(): void;
}

/** A Redis of its own for the calling test file, ended after it. `settings` are arguments of redis-server. */
export async function testRedis(settings: readonly string[] = []): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), "kirak-redis-"));
  const port = await freePort();
  const start = () => startServer(["--port", String(port), "--dir", folder, ...settings]);
  let server = await start();
  const end = () => void server.kill("SIGKILL");
  const kill = async () => {
    const exit = hasEnded(server) ? null : once(server, "exit");
    end();
    await exit;
  };
  const remove = async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  };
  // Where the test process ends without its hooks.
  process.on("exit", end);
  afterFile(async () => {
    process.off("exit", end);
    await remove();
  });
  const url = `redis://127.0.0.1:${port}`;
  return {
    url,
    run: (command, ...values) => runCommand(url, command, values),
    kill,
    async start() {
      server = await start();
    },
    pause: () => void server.kill("SIGSTOP"),
    resume: () => void server.kill("SIGCONT"),
  };
}

async function startServer(settings: readonly string[]): Promise<ChildProcess> {
  const fixed = ["--bind", "127.0.0.1", "--save", "", "--appendonly", "no", "--daemonize", "no"];
  const server = spawn("redis-server", [...fixed, ...settings], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  const ready = new Promise<void>((resolve, reject) => {
    server.stdout.on("data", (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes("Ready to accept connections")) resolve();
    });
    server.on("error", reject).on("exit", () => reject(new Error(`redis-server has ended:\n${output}`)));
  });
  await ready;
  return server;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

async function runCommand(url: string, command: string, values: (string | number)[]): Promise<unknown> {
  const client = new Redis(url, { maxRetriesPerRequest: 0, commandTimeout: 10_000 });
  client.on("error", () => {});
  try {
    return await client.call(command, ...values);
  } finally {
    client.disconnect();
  }
}
