import { setTimeout as sleep } from "node:timers/promises";
import pino, { type DestinationStream, type Logger } from "pino";
import type { LogFormat, LogLevel } from "../core/config/index.ts";
import { maskLine } from "../core/masking/index.ts";
import { CapturedOutput, type LineCapture, lower, printing } from "./captured-output.ts";
import { plainLine, readableLine } from "./readable-line.ts";

const flushTimeoutMs = 1000;

/**
 * The process's log: lines on standard output, of which none holds a password, token or e-mail address. Lines of JSON are
 * collected for a quarter of a second, as a write for each costs more than all else of a small request; what waits is
 * written when the process ends. `capture` keeps lines beside that, and by a level of its own.
 */
export function createLog(
  name: string,
  level: LogLevel,
  destination = collectedOutput(),
  capture: LineCapture | null = null,
): Logger {
  return pino(
    {
      name,
      level: capture === null ? level : lower(level, capture.level),
      // On the finished line, at any depth: pino's `redact` costs more than the rest of a line, and looks one level deep.
      // PostgreSQL repeats values in the details of an error, and callers put anything anywhere.
      hooks: { streamWrite: maskLine },
      serializers: { err: (error: unknown) => pino.stdSerializers.err(toError(error)) },
    },
    capture === null ? destination : new CapturedOutput(destination, level, capture),
  );
}

/** For lines that are told whatever the log level is: somebody waits for them. */
export function whateverTheLevel(log: Logger, level: LogLevel = "info"): Logger {
  return printing(log, level);
}

/**
 * Resolves when nothing of the log is on its way to standard output any more. What a process that ends has left is
 * written at once, and would overtake that. Whoever reads it may have stopped doing so: that holds nobody up.
 */
export async function written(log: Logger): Promise<void> {
  await Promise.race([new Promise((resolve) => log.flush(resolve)), sleep(flushTimeoutMs)]);
}

/** Collects lines until there are some kilobytes. With more of them the library, which measures all that waits with each line, takes longer. */
export function collectedOutput(dest: number | string = 1): DestinationStream {
  return pino.destination({ dest, sync: false, minLength: 8_000, periodicFlush: 250 });
}

/** What is asked of standard output. */
interface Stream {
  readonly isTTY?: boolean;
  readonly hasColors?: () => boolean;
}

/** What lines look like: as `SERVICE_LOG_FORMAT` wants them, else readable on a terminal and JSON elsewhere. */
export function formatFor(wanted: LogFormat | null, stream: Stream): LogFormat {
  return wanted ?? (stream.isTTY === true ? "pretty" : "json");
}

/** Where a service of this name logs. */
export function serviceOutput(
  wanted: LogFormat | null,
  name: string,
  stream: Stream = process.stdout,
): DestinationStream {
  return formatFor(wanted, stream) === "json" ? collectedOutput() : readable(stream, name);
}

/** Where a process logs its end: at once, and as the variable wants it, which may be wrong itself. */
export function crashOutput(
  wanted: string | undefined,
  name: string,
  stream: Stream = process.stdout,
): DestinationStream {
  const format = formatFor(wanted === "json" || wanted === "pretty" ? wanted : null, stream);
  return format === "json" ? immediately() : readable(stream, name);
}

/** Where a command of an operator logs: at once, and to a terminal as plain text. */
export function commandOutput(
  wanted: LogFormat | null = null,
  stream: Stream = process.stdout,
): DestinationStream {
  return formatFor(wanted, stream) === "json" ? immediately() : through(plainLine);
}

/** At once as well: whoever sits at a terminal waits for the next line. */
function readable(stream: Stream, name: string): DestinationStream {
  const colours = stream.isTTY === true && stream.hasColors?.() === true;
  return through((line) => readableLine(line, colours, name));
}

function through(text: (line: string) => string): DestinationStream {
  const output = immediately();
  return { write: (line) => output.write(text(line)) };
}

function immediately(): DestinationStream {
  return pino.destination({ dest: 1, sync: true });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
