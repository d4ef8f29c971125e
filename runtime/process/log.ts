import pino, { type Logger } from "pino";
import type { LogLevel } from "../config/index.ts";

const address = /[^\s@"`(){}[\]<>=:;,/]+@[^\s@"'`(){}[\]<>=:;,/]+\.[^\s@"'`(){}[\]<>=:;,/.]+/g;
const urlPassword = /(\w+:\/\/[^\s:/@]*):[^\s/]*@/g;

/** The process's log: JSON lines on standard output. Passwords, tokens and e-mail addresses are masked. */
export function createLog(name: string, level: LogLevel): Logger {
  return pino({
    name,
    level,
    redact: {
      paths: [
        "password",
        "token",
        "authorization",
        "cookie",
        "*.password",
        "*.token",
        "*.authorization",
        "*.cookie",
      ],
      censor: "[masked]",
    },
    // PostgreSQL repeats values in the details of an error, and node-postgres the URL.
    serializers: { err: (error: unknown) => maskAll(pino.stdSerializers.err(toError(error))) },
  });
}

/** Replaces e-mail addresses, and passwords in URLs. */
export function mask(text: string): string {
  return text.replace(urlPassword, "$1:[masked]@").replace(address, "[masked]");
}

function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

function maskAll(value: unknown): unknown {
  if (typeof value === "string") return mask(value);
  if (Array.isArray(value)) return value.map(maskAll);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, maskAll(part)]));
}
