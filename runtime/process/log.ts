import { writeSync } from "node:fs";
import pino, { type DestinationStream, type Logger } from "pino";
import type { LogLevel } from "../config/index.ts";
import { maskLine } from "./mask.ts";

/**
 * The process's log: JSON lines on standard output, of which none holds a password, token or e-mail address. Lines are
 * collected for a quarter of a second, as a write for each costs more than all else of a small request; what waits is
 * written when the process ends.
 */
export function createLog(name: string, level: LogLevel, destination = standardOutput()): Logger {
  return pino(
    {
      name,
      level,
      // On the finished line, at any depth: pino's `redact` costs more than the rest of a line, and looks one level deep.
      // PostgreSQL repeats values in the details of an error, and callers put anything anywhere.
      hooks: { streamWrite: maskLine },
      serializers: { err: (error: unknown) => pino.stdSerializers.err(toError(error)) },
    },
    destination,
  );
}

function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: 16_000, periodicFlush: 250 });
}

/** Where a command of an operator logs: at once, and to a terminal as plain text. */
export function commandOutput(stream: { readonly isTTY?: boolean } = process.stdout): DestinationStream {
  if (stream.isTTY !== true) return pino.destination({ dest: 1, sync: true });
  return { write: (line) => writeSync(1, plainLine(line)) };
}

/** The message of a line of the log, and how bad it is. */
export function plainLine(line: string): string {
  const { level, msg }: { level: number; msg?: string } = JSON.parse(line);
  const severity = level >= 50 ? "error: " : level >= 40 ? "warning: " : "";
  return `${severity}${msg ?? ""}\n`;
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
