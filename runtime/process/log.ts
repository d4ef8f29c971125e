import { setTimeout as sleep } from "node:timers/promises";
import pino, { type DestinationStream, type Logger } from "pino";
import type { LogFormat, LogLevel } from "../core/config/index.ts";
import { maskLine } from "../core/masking/index.ts";
import { CapturedOutput, type LineCapture, lowerLevel, withPrintLevel } from "./captured-output.ts";
import { plainLine, readableLine } from "./readable-line.ts";

const flushTimeoutMs = 1000;

/** The masked log of the process on standard output. `capture` also gets the lines, at a level of its own. */
export function createLog(
  name: string,
  level: LogLevel,
  destination = bufferedOutput(),
  capture: LineCapture | null = null,
): Logger {
  return pino(
    {
      name,
      level: capture === null ? level : lowerLevel(level, capture.level),
      // Masks whole lines: pino's `redact` is slower and only looks one level deep.
      hooks: { streamWrite: maskLine },
      serializers: { err: (error: unknown) => pino.stdSerializers.err(toError(error)) },
    },
    capture === null ? destination : new CapturedOutput(destination, level, capture),
  );
}

/** Prints lines independent of the log level: a user waits for them. */
export function atAnyLevel(log: Logger, level: LogLevel = "info"): Logger {
  return withPrintLevel(log, level);
}

/** Waits until standard output has the lines of the log; a reader that has stopped does not block it. */
export async function flushLog(log: Logger): Promise<void> {
  await Promise.race([new Promise((resolve) => log.flush(resolve)), sleep(flushTimeoutMs)]);
}

/**
 * Buffers some kilobytes of lines. The library measures its buffer for each line, so a larger buffer is
 * slower.
 */
export function bufferedOutput(dest: number | string = 1): DestinationStream {
  return pino.destination({ dest, sync: false, minLength: 8_000, periodicFlush: 250 });
}

interface Stream {
  readonly fd?: number;
  readonly isTTY?: boolean;
  readonly hasColors?: () => boolean;
}

/** Log format: the value of `SERVICE_LOG_FORMAT`, else readable on a terminal and JSON elsewhere. */
export function formatFor(wanted: LogFormat | null, stream: Stream): LogFormat {
  return wanted ?? (stream.isTTY === true ? "pretty" : "json");
}

/** Log output of a service with this name. */
export function serviceOutput(
  wanted: LogFormat | null,
  name: string,
  stream: Stream = process.stdout,
): DestinationStream {
  return formatFor(wanted, stream) === "json" ? bufferedOutput() : prettyOutput(stream, name);
}

/** Unbuffered log output, with all fields, for a process that ends. `SERVICE_LOG_FORMAT` can be invalid. */
export function unbufferedLog(
  wanted: string | null | undefined,
  name: string,
  stream: Stream = process.stdout,
): DestinationStream {
  const format = formatFor(wanted === "json" || wanted === "pretty" ? wanted : null, stream);
  return format === "json" ? unbufferedOutput(stream) : prettyOutput(stream, name);
}

/** Unbuffered log output for commands; plain text on a terminal. */
export function commandOutput(
  wanted: LogFormat | null = null,
  stream: Stream = process.stdout,
): DestinationStream {
  return formatFor(wanted, stream) === "json" ? unbufferedOutput(stream) : mappedOutput(plainLine, stream);
}

/** Unbuffered, because a user waits at the terminal. */
function prettyOutput(stream: Stream, name: string): DestinationStream {
  const colours = stream.isTTY === true && stream.hasColors?.() === true;
  return mappedOutput((line) => readableLine(line, colours, name), stream);
}

function mappedOutput(text: (line: string) => string, stream: Stream): DestinationStream {
  const output = unbufferedOutput(stream);
  return { write: (line) => output.write(text(line)) };
}

function unbufferedOutput({ fd = 1 }: Stream): DestinationStream {
  return pino.destination({ dest: fd, sync: true });
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
