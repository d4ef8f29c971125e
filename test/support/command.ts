import { fork, spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import type { Readable } from "node:stream";
import { expect } from "vitest";
import { afterFile } from "./after-file.ts";
import { compiled } from "./compiled.ts";

export interface CommandOptions {
  readonly args?: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** The project's folder. */
  readonly root?: string;
}

/** Runs a module that takes the project's folder as its first argument, without a terminal, until it ends. */
export function runCommand(module: URL, options: CommandOptions = {}): Promise<Outcome> {
  const { args = [], environment = {}, root = tmpdir() } = options;
  const variables = { PATH: process.env["PATH"] ?? "", ...environment };
  return runProgram({
    module: compiled(module).href,
    args: [root, ...args],
    environment: variables,
    folder: root,
  });
}

/** A program that a kept process is to run. */
export interface ProgramRun {
  /** Of a module of JavaScript. */
  readonly module: string;
  readonly args: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Where it runs. */
  readonly folder: string;
}

/** The same with the text that ends the output of a run, on both streams. */
export interface MarkedRun extends ProgramRun {
  readonly mark: string;
}

/** How a program ended. */
export interface Outcome {
  readonly code: unknown;
  readonly printed: string;
  /** What it wrote to standard error. */
  readonly complained: string;
}

/** A process that runs one program after the other. */
interface KeptProcess {
  run(program: ProgramRun): Promise<Outcome>;
}

const idle: KeptProcess[] = [];

/**
 * Runs a module to its end, as if in a process of its own: with these words, variables and folder, and until it exits. The
 * process is one that has run others of this test file, where there is such a one: what takes most of a short program's time is
 * loading it. Who runs at the same time has another process.
 */
export async function runProgram(program: ProgramRun): Promise<Outcome> {
  const kept = idle.pop() ?? startKept();
  const outcome = await kept.run(program);
  idle.push(kept);
  return outcome;
}

function startKept(): KeptProcess {
  const child = fork(compiled(new URL("run-programs.ts", import.meta.url)), { silent: true });
  const streams = [child.stdout, child.stderr].map(textsOf);
  const died = new Promise<never>((_, reject) => {
    child.once("exit", (code, signal) => reject(new Error(`a kept process has ended: ${code ?? signal}`)));
  });
  died.catch(() => {});
  afterFile(() => {
    idle.length = 0;
    child.kill("SIGKILL");
  });
  let runs = 0;
  return {
    async run(program) {
      const mark = `\0end of run ${++runs}\n`;
      const ended = new Promise<unknown>((resolve) => child.once("message", resolve));
      child.send({ ...program, mark });
      const texts = Promise.all(streams.map((until) => until(mark)));
      const code = await Promise.race([ended, died]);
      const [printed = "", complained = ""] = await texts;
      return { code, printed, complained };
    },
  };
}

/** Reads a stream; gives what comes before the mark that ends a run. */
function textsOf(stream: Readable | null): (mark: string) => Promise<string> {
  let text = "";
  let look = () => {};
  stream?.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    look();
  });
  return (mark) =>
    new Promise((resolve) => {
      look = () => {
        if (!text.endsWith(mark)) return;
        resolve(text.slice(0, -mark.length));
        text = "";
      };
      look();
    });
}

export interface TerminalSession {
  /** Everything on the screen so far, as plain text. */
  screen(): string;
  /** Waits for a text that was not there at the last answer, then types; `\r` is the key Enter. */
  answer(prompt: string, typed: string): Promise<void>;
  /** The exit code. */
  readonly exit: Promise<unknown>;
}

/** Moves of the cursor and the like. */
const controls = new RegExp(`${String.fromCharCode(27)}\\[[\\d;?]*[A-Za-z]`, "g");

/** Runs a command on a terminal of its own, made by the program `script`. */
export function onTerminal(
  script: string,
  command: readonly string[],
  environment: Readonly<Record<string, string>>,
): TerminalSession {
  const line = command.map((word) => `'${word}'`).join(" ");
  const child = spawn(script, ["--quiet", "--return", "--command", line, "/dev/null"], {
    env: { PATH: process.env["PATH"], TERM: "xterm", ...environment },
  });
  let screen = "";
  let seen = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    screen = (screen + chunk.toString()).replace(controls, "").replace(/\r+\n/g, "\n");
  });
  return {
    screen: () => screen,
    async answer(prompt, typed) {
      await expect.poll(() => screen.slice(seen), { timeout: 15_000, interval: 20 }).toContain(prompt);
      seen = screen.length;
      child.stdin.write(typed);
    },
    exit: once(child, "close").then(([code]) => code),
  };
}
