import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { compiled } from "./compiled.ts";

export interface CommandOutcome {
  readonly code: unknown;
  readonly printed: string;
  /** What it wrote to standard error. */
  readonly complained: string;
}

export interface CommandOptions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The project's folder. */
  readonly root?: string;
}

/** Runs a module as a process of its own, without a terminal, until it ends. */
export async function runCommand(module: URL, options: CommandOptions = {}): Promise<CommandOutcome> {
  const { args = [], environment = {}, root = tmpdir() } = options;
  const child = fork(compiled(module), [root, ...args], {
    env: { PATH: process.env["PATH"], ...environment },
    silent: true,
  });
  const [printed, complained] = [textOf(child, "stdout"), textOf(child, "stderr")];
  const [code] = await once(child, "close");
  return { code, printed: printed(), complained: complained() };
}

function textOf(child: ChildProcess, stream: "stdout" | "stderr"): () => string {
  const chunks: Buffer[] = [];
  child[stream]?.on("data", (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks).toString();
}
