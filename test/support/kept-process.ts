import { fork } from "node:child_process";
import type { Readable } from "node:stream";
import { afterFile } from "./after-file.ts";
import { compiled } from "./compiled.ts";

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
