import { existsSync } from "node:fs";
import { join } from "node:path";
import { explain } from "./failure.ts";
import { Closers, type LaunchOptions, launch } from "./launch.ts";

/** A Ctrl-C reaches us twice: from the terminal, and passed on by npm or tsx. */
const echoMs = 300;
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Runs a service as this process, until it is told to stop (decisions, part 1). SIGTERM and SIGINT end it in order, with
 * code 0; a second one at once. What keeps it from starting is printed as one clear message, with code 1.
 */
export async function runProcess(options: LaunchOptions): Promise<void> {
  await supervise(async (closers) => {
    const { url, log } = await launch(options, closers);
    // Whatever the log level is: whoever started the process waits for this line.
    log.child({}, { level: "info" }).info(`listening on ${url}`);
    log.flush();
    await new Promise(() => {});
  });
}

/** Runs a task as this process: signals, messages and exit codes as for a service. */
export async function supervise(task: (closers: Closers) => Promise<void>): Promise<never> {
  const closers = new Closers();
  const stop = { signal: "", at: 0 };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      const isEcho = stop.signal === signal && performance.now() - stop.at < echoMs;
      if (stop.signal !== "" && !isEcho) process.exit(exitCodes[signal]);
      if (stop.signal !== "") return;
      stop.signal = signal;
      stop.at = performance.now();
      void finish(closers, 0);
    });
  }
  try {
    await task(closers);
  } catch (error) {
    // When told to stop while starting, what fails now fails for that reason.
    if (stop.signal !== "") return new Promise(() => {});
    process.stderr.write(`${explain(error)}\n`);
    return finish(closers, 1);
  }
  return finish(closers, 0);
}

async function finish(closers: Closers, code: number): Promise<never> {
  try {
    await closers.run();
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
  process.exit(code);
}

/** The environment, completed by the project's `.env`; variables that are set already win. */
export function loadEnvironment(root: string): Readonly<Record<string, string | undefined>> {
  const path = join(root, ".env");
  if (existsSync(path)) process.loadEnvFile(path);
  return process.env;
}
