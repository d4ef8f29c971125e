import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { afterFile } from "./after-file.ts";
import { compiled } from "./compiled.ts";

export interface ServiceProcess {
  readonly child: ChildProcess;
  /** Resolves with the exit code. */
  readonly exit: Promise<number | null>;
  /** What it wrote so far. */
  output(): string;
  /** Resolves with the address, once the process says that it listens. */
  listening(): Promise<string>;
}

const children: ChildProcess[] = [];

/** Ends those that a test left. */
export function endServiceProcesses(): void {
  for (const child of children.splice(0)) child.kill("SIGKILL");
}

/** Starts a module as the service of a project's folder, on a port that the system chooses. */
export function startServiceProcess(
  module: URL,
  root: string,
  environment: Readonly<Record<string, string>> = {},
): ServiceProcess {
  return startProgram(compiled(module), [root], environment, process.cwd());
}

/** Starts a program that serves, in a working folder. */
export function startProgram(
  program: URL,
  words: readonly string[],
  environment: Readonly<Record<string, string>>,
  cwd: string,
): ServiceProcess {
  const child = fork(program, words, {
    cwd,
    env: { PATH: process.env["PATH"], PORT: "0", HOST: "127.0.0.1", ...environment },
    silent: true,
  });
  if (children.push(child) === 1) afterFile(endServiceProcesses);
  let output = "";
  const listening = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        const address = /listening on (http:\/\/[^"\s]+)/.exec(output)?.[1];
        if (address !== undefined) resolve(address);
      });
    child.on("close", () => reject(new Error(`it has ended:\n${output}`)));
  });
  listening.catch(() => {});
  return {
    child,
    exit: once(child, "close").then(([code]) => code),
    output: () => output,
    listening: () => listening,
  };
}
