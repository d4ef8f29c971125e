import type { ChildProcess } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { buildApp, builtServers } from "./build.ts";
import { startDatabase } from "./database.ts";
import { median } from "./measure.ts";
import { megabytes, type Program, startProgram } from "./started-program.ts";

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

/** Servers from the least to the built book shop. */
function serversOf(root: string, built: string): Readonly<Record<string, Program>> {
  return {
    "Node.js alone": { file: join(built, "bare.js"), folder: root },
    "with pg": { file: join(built, "raw.js"), folder: root },
    "with Express": { file: join(built, "express.js"), folder: root },
    kirak: { file: join(root, "lib/cli/kirak.js"), words: ["start"], folder: root },
  };
}

/** Starts each by turns, on a migrated database. Null where there is no `/proc` to read the figures from. */
export async function startTimes(
  root: string,
  rounds: number,
  idleSeconds: number,
): Promise<StartTimes[] | null> {
  if (!existsSync("/proc/self/stat")) return null;
  await buildApp(root);
  const servers = serversOf(root, builtServers(root));
  const database = await startDatabase(root);
  const environment = { SERVICE_DATABASE_URL: database.url, BENCHMARK_DATABASE_URL: database.url };
  const runs: StartTimes[] = [];
  try {
    for (let round = 0; round < rounds; round++)
      for (const [name, program] of Object.entries(servers))
        runs.push({ name, ...(await timeOne(program, environment, idleSeconds)) });
  } finally {
    await database.stop();
  }
  return Object.keys(servers).map((name) => medianOf(runs.filter((run) => run.name === name)));
}

async function timeOne(
  program: Program,
  environment: NodeJS.ProcessEnv,
  idleSeconds: number,
): Promise<Omit<StartTimes, "name">> {
  const started = await startProgram(program, environment);
  try {
    const { child, seconds } = started;
    const cpu = cpuOf(child);
    await sleep(idleSeconds * 1000);
    return { seconds, cpu, resident: megabytes(child, "VmRSS"), own: megabytes(child, "RssAnon") };
  } finally {
    await started.end();
  }
}

/** User and system time, which Linux counts in hundredths of a second. */
function cpuOf({ pid }: ChildProcess): number {
  const [, fields = ""] = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ");
  const [user, system] = fields.split(" ").slice(11, 13);
  return (Number(user) + Number(system)) / 100;
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
