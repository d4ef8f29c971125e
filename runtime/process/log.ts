import { writeSync } from "node:fs";
import pino, { type DestinationStream, type Logger } from "pino";
import type { LogLevel } from "../config/index.ts";

// Lengths are bounded, so that a long text without a match costs no more than its length.
const address = /[^\s@"`(){}[\]<>=:;,/\\]{1,64}@[^\s@"'`(){}[\]<>=:;,/\\]{1,255}/g;
const urlPassword = /(\w{1,20}:\/\/[^\s:/@]{0,100}):[^\s/@]{1,200}@/g;
const token = /\b(?:eyJ[\w-]{10,}\.[\w-]+\.[\w-]*|kk_[0-9a-f]{16,})/g;

/** Keys that end in one of these: `access_token` and `set-cookie` too. */
const secretKey = /(?:password|token|authorization|cookie|secret)$/i;
const secretKeyInLine = new RegExp(`${secretKey.source.slice(0, -1)}":`, "i");

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

function maskLine(line: string): string {
  return maskText(secretKeyInLine.test(line) ? maskKeys(line) : line);
}

/** A value may be of any kind and hold anything, so it is replaced as a whole. */
function maskKeys(line: string): string {
  const masked: unknown = JSON.parse(line, (key, value: unknown) =>
    secretKey.test(key) ? "[masked]" : value,
  );
  return `${JSON.stringify(masked)}\n`;
}

function maskText(line: string): string {
  return line.includes("@") || line.includes("eyJ") || line.includes("kk_") ? mask(line) : line;
}

/** Replaces e-mail addresses, tokens, API keys, and passwords in URLs. */
export function mask(text: string): string {
  return text.replace(urlPassword, "$1:[masked]@").replace(address, "[masked]").replace(token, "[masked]");
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
