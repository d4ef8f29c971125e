import type { Logger } from "pino";
import type { LogLevel } from "../core/config/index.ts";
import { createLog, serviceOutput } from "../process/index.ts";

/** A log line, parsed from JSON. */
export type LogLine = Readonly<Record<string, unknown>>;

/** A log that captures its lines and prints them on request. */
export function captureLog(lines: LogLine[], name: string, level: LogLevel, isPrinted: boolean): Logger {
  const output = isPrinted ? serviceOutput("pretty", name) : null;
  return createLog(name, level, {
    write(line) {
      lines.push(JSON.parse(line));
      output?.write(line);
    },
  });
}
