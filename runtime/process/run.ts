import { readFileSync } from "node:fs";
import type { Logger } from "pino";
import { type Cause, Closers } from "./closers.ts";
import { explain } from "./failure.ts";
import { type LaunchOptions, launch } from "./launch.ts";
import { type LaunchWorkerOptions, launchWorker } from "./launch-worker.ts";
import { atAnyLevel, createLog, flushLog, unbufferedLog } from "./log.ts";

const everyMs = 1000;

/** Stops the process when its npm is gone, because shells such as dash do not forward signals of npm. */
function watchNpm(stop: () => void): void {
  if (process.env["npm_lifecycle_event"] === undefined) return;
  const before = ancestors();
  const timer = setInterval(() => {
    if (ancestors() === before) return;
    clearInterval(timer);
    stop();
  }, everyMs);
  timer.unref();
}

/** The parent and grandparent: a shell survives a killed npm. */
function ancestors(): string {
  const { ppid } = process;
  try {
    const [, command = "", parent = ""] =
      /^\d+ \((.*)\) \S (\d+) /s.exec(readFileSync(`/proc/${ppid}/stat`, "utf8")) ?? [];
    return /^(?:ba|da|a|z|k)?sh$/.test(command) ? `${ppid} ${parent}` : `${ppid}`;
  } catch {
    return `${ppid}`;
  }
}

/** Ctrl-C arrives twice: from the terminal and from npm. */
const echoMs = 300;
const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;
/** Time for requests in flight and connections after a crash. */
const crashTimeoutMs = 10_000;

/** Reasons of a stop, for log messages. A failed start prints its error instead. */
const reasons: Readonly<Record<Cause, string | null>> = {
  SIGINT: "SIGINT",
  SIGTERM: "SIGTERM",
  crash: "a crash",
  done: null,
};

/** Serves until SIGTERM or SIGINT (code 0); a second signal ends it at once. Failed start: code 1. */
export async function runProcess(options: LaunchOptions): Promise<void> {
  await untilStopped(async (closers, reportTo) => {
    const { address, url, overviewPage, signInPage, log } = await launch(options, closers, reportTo);
    return {
      ready: `listening on ${address}${address === url ? "" : ` (${url} on this machine)`}`,
      andThen() {
        if (overviewPage !== null) log.info(`overview of the API: ${overviewPage}`);
        if (signInPage !== null) log.info(`sign-in page for development: ${signInPage}`);
      },
    };
  });
}

/** Runs a service's jobs as this process, until a signal, as `runProcess` serves it. */
export async function runWorkerProcess(options: LaunchWorkerOptions): Promise<void> {
  await untilStopped(async (closers, reportTo) => {
    const { concurrency } = await launchWorker(options, closers, reportTo);
    return { ready: `running jobs, ${concurrency} at once` };
  });
}

interface Started {
  /** Logged independent of the level. */
  readonly ready: string;
  readonly andThen?: () => unknown;
}

async function untilStopped(start: (...start: Parameters<Task>) => Promise<Started>): Promise<void> {
  await supervise(async (closers, reportTo) => {
    let tell = async (_message: string) => {};
    closers.add((cause) => reasons[cause] !== null && tell("stopped"));
    closers.announce((cause) => reasons[cause] !== null && tell(`stopping: ${reasons[cause]}`));
    const { ready, andThen } = await start(closers, (own) => {
      reportTo(own);
      tell = (message) => {
        atAnyLevel(own).info(message);
        return flushLog(own);
      };
    });
    watchNpm(() => process.kill(process.pid, "SIGTERM"));
    await tell(ready);
    andThen?.();
    await new Promise(() => {});
  });
}

/**
 * The main task of a process. It adds the resources that it opens to `closers`; `reportTo` sets the log for a
 * crash.
 */
export type Task = (closers: Closers, reportTo: (log: Logger) => void) => Promise<void>;

/** Runs a task as this process, with a service's signals, crash handling, messages and exit codes. */
export async function supervise(task: Task): Promise<never> {
  const closers = new Closers();
  const stop = { signal: "", at: 0 };
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => {
      const isEcho = stop.signal === signal && performance.now() - stop.at < echoMs;
      if (stop.signal !== "" && !isEcho) process.exit(exitCodes[signal]);
      if (stop.signal !== "") return;
      stop.signal = signal;
      stop.at = performance.now();
      void finish(closers, signal, 0);
    });
  }
  const reportTo = endOnCrash(closers);
  try {
    await task(closers, reportTo);
  } catch (error) {
    // A failure during a stop is a result of the stop.
    if (stop.signal !== "") return new Promise(() => {});
    process.stderr.write(`${explain(error)}\n`);
    return finish(closers, "done", 1);
  }
  return finish(closers, "done", 0);
}

/** After an uncaught error the state is unknown: one `fatal` line, then an orderly end with code 1. */
function endOnCrash(closers: Closers): (log: Logger) => void {
  let log = createLog("kirak", "fatal", unbufferedLog(process.env["SERVICE_LOG_FORMAT"], "kirak"));
  const crash = (error: unknown, origin: string) => {
    log.fatal({ err: error, origin }, "uncaught error: the process ends");
    log.flush();
    process.exitCode = 1;
    setTimeout(() => process.exit(1), crashTimeoutMs).unref();
    void finish(closers, "crash", 1);
  };
  process.on("uncaughtException", crash);
  process.on("unhandledRejection", (reason) => crash(reason, "unhandledRejection"));
  return (own) => {
    log = atAnyLevel(own, "fatal");
  };
}

async function finish(closers: Closers, cause: Cause, code: number): Promise<never> {
  try {
    await closers.run(cause);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
  process.exit(process.exitCode ?? code);
}
