import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** A server as a program of JavaScript. */
export interface Program {
  readonly file: string;
  readonly words?: readonly string[];
  /** The folder that it runs in. */
  readonly folder: string;
}

/** One that listens. */
export interface StartedProgram {
  readonly child: ChildProcess;
  /** Null of the hand-written servers. */
  readonly url: string | null;
  /** Rejects when it ends before it is told to. */
  readonly ended: Promise<never>;
  /** What it took until it listened. */
  readonly seconds: number;
  end(): Promise<void>;
}

/** Starts a server as a process of its own, on a port that the system chooses. */
export async function startProgram(
  { file, words = [], folder }: Program,
  environment: NodeJS.ProcessEnv,
): Promise<StartedProgram> {
  const startedAt = performance.now();
  const env = { ...process.env, HOST: "127.0.0.1", PORT: "0", ...environment };
  const stdio = ["ignore", "pipe", "inherit", "ipc"] as const;
  const child = fork(file, words, { execArgv: [], cwd: folder, env, stdio: [...stdio] });
  const gone = once(child, "exit");
  const early = gone.then(() => Promise.reject(new Error(`${file} ended early`)));
  const url = await Promise.race([listening(child), early]);
  early.catch(() => {});
  const seconds = (performance.now() - startedAt) / 1000;
  const end = async () => {
    child.kill("SIGKILL");
    await gone;
  };
  return { child, url, ended: early, seconds, end };
}

/** The hand-written servers tell it by a message, the service by its line. */
async function listening(child: ChildProcess): Promise<string | null> {
  const line = new Promise<string>((resolve) => {
    let text = "";
    child.stdout?.on("data", (chunk) => {
      text += chunk;
      const [, url] = /listening on (http:[^"\s]+)/.exec(text) ?? [];
      if (url !== undefined) resolve(url);
    });
  });
  return Promise.race([line, once(child, "message").then(() => null)]);
}

/** What Linux says of the memory of a process. */
export function megabytes({ pid }: ChildProcess, key: "VmRSS" | "RssAnon"): number {
  const text = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1024;
}
