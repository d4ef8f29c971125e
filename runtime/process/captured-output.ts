import pino, { type DestinationStream, type Logger } from "pino";
import type { LogLevel } from "../core/config/index.ts";

/** Whoever keeps lines of the log beside what is printed. */
export interface LineCapture {
  /** The lowest that is kept, whatever the log prints. */
  readonly level: LogLevel;
  keep(line: string, level: number, logger: Logger): void;
}

const printed = Symbol("printed from");

/** A child that prints from this level on, whatever the log does. */
export function printing(log: Logger, level: LogLevel): Logger {
  return Object.assign(log.child({}, { level }), { [printed]: numberOf(level) });
}

/** The level that the log itself has to have, so that the lines of both reach it. */
export function lower(one: LogLevel, other: LogLevel): LogLevel {
  return numberOf(one) <= numberOf(other) ? one : other;
}

/** What has to be told of a line for the two to be told apart. pino writes it into a stream that asks for it so. */
const asks = Symbol.for("pino.metadata");

/** Some outputs collect lines. */
interface Flushable extends DestinationStream {
  flush?(done: () => void): void;
  flushSync?(): void;
}

/** Where a log prints that is also captured: each line goes where its level says. */
export class CapturedOutput implements DestinationStream {
  readonly [asks] = true;
  lastLevel = 0;
  lastLogger: (Logger & { readonly [printed]?: number }) | null = null;
  readonly #output: Flushable;
  readonly #capture: LineCapture;
  readonly #printedFrom: number;
  readonly #keptFrom: number;
  /** Of a logger for which nobody has set a level of its own. */
  readonly #inherited: number;

  /** `level` is what the log is to print. */
  constructor(output: Flushable, level: LogLevel, capture: LineCapture) {
    this.#output = output;
    this.#capture = capture;
    this.#printedFrom = numberOf(level);
    this.#keptFrom = numberOf(capture.level);
    this.#inherited = Math.min(this.#printedFrom, this.#keptFrom);
  }

  write(line: string): void {
    const { lastLevel: level, lastLogger: logger } = this;
    if (logger === null || level >= this.#printedFromBy(logger)) this.#output.write(line);
    if (logger !== null && level >= this.#keptFrom) this.#capture.keep(line, level, logger);
  }

  /** Of pino: whoever waits for what is collected. */
  flush(done: () => void): void {
    if (this.#output.flush === undefined) done();
    else this.#output.flush(done);
  }

  /** Of pino, after a `fatal` line. */
  flushSync(): void {
    this.#output.flushSync?.();
  }

  #printedFromBy(logger: Logger & { readonly [printed]?: number }): number {
    const own = logger[printed];
    if (own !== undefined) return own;
    return logger.levelVal === this.#inherited ? this.#printedFrom : logger.levelVal;
  }
}

function numberOf(level: LogLevel): number {
  return pino.levels.values[level] ?? Number.POSITIVE_INFINITY;
}
