import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildServers } from "./build.ts";
import { startDatabase } from "./database.ts";
import { median } from "./measure.ts";

/** What a process took until it listened, and held when idle. Medians of several starts. */
export interface StartTimes {
  readonly name: string;
  readonly seconds: number;
  /** Of the processor, in seconds. */
  readonly cpu: number;
  /** Resident, in MB: all of it, and what is not a part of a file such as Node.js itself. */
  readonly resident: number;
  readonly own: number;
}

/** Servers from the least to the built book shop, by their files in the build. */
const servers = {
  "Node.js alone": "benchmark/servers/bare.js",
  "with pg": "benchmark/servers/raw.js",
  "with Express": "benchmark/servers/express.js",
  kirak: "cli/kirak.js",
};

/** Starts each by turns, on a migrated database. Null where there is no `/proc` to read the figures from. */
export async function startTimes(
  root: string,
  rounds: number,
  idleSeconds: number,
): Promise<StartTimes[] | null> {
  if (!existsSync("/proc/self/stat")) return null;
  const folder = join(await buildServers(root), "..", "..");
  const database = await startDatabase(root);
  const environment = { SERVICE_DATABASE_URL: database.url, BENCHMARK_DATABASE_URL: database.url };
  const runs: StartTimes[] = [];
  try {
    for (let round = 0; round < rounds; round++)
      for (const [name, file] of Object.entries(servers))
        runs.push({ name, ...(await timeOne(join(folder, file), environment, idleSeconds)) });
  } finally {
    await database.stop();
  }
  return Object.keys(servers).map((name) => medianOf(runs.filter((run) => run.name === name)));
}

async function timeOne(
  file: string,
  environment: NodeJS.ProcessEnv,
  idleSeconds: number,
): Promise<Omit<StartTimes, "name">> {
  const startedAt = performance.now();
  const env = { ...process.env, HOST: "127.0.0.1", PORT: "0", ...environment };
  const child = fork(file, { execArgv: [], env, stdio: ["ignore", "pipe", "inherit", "ipc"] });
  const gone = once(child, "exit");
  try {
    await Promise.race([listening(child), gone.then(() => Promise.reject(new Error(`${file} ended early`)))]);
    const seconds = (performance.now() - startedAt) / 1000;
    const cpu = cpuOf(child);
    await sleep(idleSeconds * 1000);
    return { seconds, cpu, resident: megabytes(child, "VmRSS"), own: megabytes(child, "RssAnon") };
  } finally {
    child.kill("SIGKILL");
    await gone;
  }
}

/** The hand-written servers tell it by a message, the service by its line. */
async function listening(child: ChildProcess): Promise<void> {
  const line = new Promise<void>((resolve) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      if (text.includes("listening on ")) resolve();
    });
  });
  await Promise.race([line, once(child, "message")]);
}

/** User and system time, which Linux counts in hundredths of a second. */
function cpuOf({ pid }: ChildProcess): number {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

function megabytes({ pid }: ChildProcess, key: string): number {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1024;
}

function medianOf(runs: readonly StartTimes[]): StartTimes {
  const of = (key: Exclude<keyof StartTimes, "name">) => median(runs.map((run) => run[key]));
  return {
    name: runs[0]?.name ?? "",
    seconds: of("seconds"),
    cpu: of("cpu"),
    resident: of("resident"),
    own: of("own"),
  };
}
