import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import autocannon from "autocannon";
import type { DatabaseCpu } from "./database-cpu.ts";
import type { Scenario } from "./scenarios.ts";

/** What one run of a scenario on a server came to. CPU times are in microseconds a request. */
export interface Figures {
  readonly perSecond: number;
  readonly p99Ms: number;
  /** The server's. */
  readonly cpu: number;
  /** That of PostgreSQL, all processes; where somebody asked for it. */
  readonly databaseCpu?: number | undefined;
}

export interface ThreadFigures extends Figures {
  /** CPU time of the main thread alone; not a number where there is no /proc. */
  readonly mainCpu: number;
}

export interface RunningServer {
  readonly name: string;
  readonly port: number;
  readonly process: ChildProcess;
  /** Rejects when the server ends before it is told to. */
  readonly ended: Promise<never>;
  /** How it is ended; default by itself, once this process has hung up. */
  readonly stop?: () => Promise<void>;
}

/** Starts one of the servers by the name of its file, with what it needs in its environment. */
export type Start = (name: string, file: string, more?: NodeJS.ProcessEnv) => Promise<RunningServer>;

/** Starts a compiled server in a process of its own. */
export async function startServer(
  name: string,
  file: string,
  environment: NodeJS.ProcessEnv,
): Promise<RunningServer> {
  const child = fork(file, {
    execArgv: (process.env["V8FLAGS"] ?? "").split(" ").filter(Boolean),
    env: { ...process.env, ...environment },
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error(`${name} ended early`)));
  ended.catch(() => {});
  const { port } = await reply<{ port: number }>(child, ended);
  return { name, port, process: child, ended };
}

/** Ends a server, and waits for its end. One that ended is left alone. */
export async function stopServer({ process: child, stop }: RunningServer): Promise<void> {
  if (stop !== undefined) return stop();
  if (!child.connected) return;
  const gone = once(child, "exit");
  child.disconnect();
  await gone;
}

async function reply<Message>(child: ChildProcess, ended: Promise<never>): Promise<Message> {
  const [message] = await Promise.race([once(child, "message"), ended]);
  return message;
}

/** CPU time of all threads of a server so far, in microseconds. */
export async function cpuOf(server: RunningServer): Promise<number> {
  return threadsCpu(server.process.pid) ?? (await ask<{ cpu: number }>(server, "cpu")).cpu;
}

/** Null where there is no /proc. */
function threadsCpu(pid: number | undefined): number | null {
  try {
    const threads = readdirSync(`/proc/${pid}/task`);
    return threads.reduce((sum, thread) => sum + nanosecondsOf(`/proc/${pid}/task/${thread}`) / 1000, 0);
  } catch {
    return null;
  }
}

function nanosecondsOf(folder: string): number {
  return Number(readFileSync(`${folder}/schedstat`, "utf8").split(" ")[0]);
}

/** Sends a server one of the words that it knows. */
export async function ask<Answer>({ process: child, ended }: RunningServer, word: string): Promise<Answer> {
  const answer = reply<Answer>(child, ended);
  child.send(word);
  return answer;
}

/** CPU time of a server's main thread so far, in microseconds. Not a number where there is no /proc. */
function mainCpuOf({ process: child }: RunningServer): number {
  try {
    return nanosecondsOf(`/proc/${child.pid}/task/${child.pid}`) / 1000;
  } catch {
    return Number.NaN;
  }
}

const connections = 32;

export interface MeasureOptions {
  readonly seconds: number;
  readonly token: string;
  /** How many requests a second; default as fast as it goes. */
  readonly rate?: number;
  readonly databaseCpu?: DatabaseCpu | undefined;
}

/** Sends a scenario's requests for a while, as fast as it goes or so many a second. Throws when an answer is not 200. */
export async function measure(
  server: RunningServer,
  scenario: Scenario,
  { seconds, token, rate, databaseCpu }: MeasureOptions,
): Promise<ThreadFigures> {
  let sent = 0;
  const databaseBefore = databaseCpu?.();
  const before = await cpuOf(server);
  const mainBefore = mainCpuOf(server);
  const result = await autocannon({
    url: `http://127.0.0.1:${server.port}`,
    connections,
    duration: seconds,
    ...(rate !== undefined && { overallRate: rate }),
    requests: [
      {
        method: scenario.method,
        headers: {
          ...(scenario.isPublic !== true && { authorization: `Bearer ${token}` }),
          "content-type": "application/json",
        },
        setupRequest: (request) => {
          const n = sent++;
          const body = scenario.body === undefined ? undefined : JSON.stringify(scenario.body(n));
          const headers = scenario.headers === undefined ? {} : scenario.headers(n);
          return {
            ...request,
            path: scenario.path(n),
            headers: { ...request.headers, ...headers },
            ...(body !== undefined && { body }),
          };
        },
      },
    ],
  });
  const answered = result["2xx"];
  if (result.non2xx > 0 || result.errors > 0 || answered === 0) {
    throw new Error(
      `${server.name}, ${scenario.name}: ${result.non2xx} refused, ${result.errors} failed, ${answered} well`,
    );
  }
  const cpu = ((await cpuOf(server)) - before) / answered;
  const mainCpu = (mainCpuOf(server) - mainBefore) / answered;
  const ofDatabase =
    databaseBefore === undefined ? undefined : ((databaseCpu?.() ?? Number.NaN) - databaseBefore) / answered;
  return {
    perSecond: answered / result.duration,
    p99Ms: result.latency.p99,
    cpu,
    mainCpu,
    databaseCpu: ofDatabase,
  };
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1] ?? Number.NaN;
}
