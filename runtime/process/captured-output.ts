import pino, { type DestinationStream, type Logger } from "pino";
import type { LogLevel } from "../core/config/index.ts";

/** Keeps log lines in addition to the log's output. */
export interface LineCapture {
  /** The lowest level that is kept, independent of the level of the log. */
  readonly level: LogLevel;
  keep(line: string, level: number, logger: Logger): void;
}

const printed = Symbol("printed from");

/** A child logger that prints from this level on, independent of the level of the log. */
export function withPrintLevel(log: Logger, level: LogLevel): Logger {
  return Object.assign(log.child({}, { level }), { [printed]: numberOf(level) });
}

/** The lower of two levels: the log needs it so that both outputs get their lines. */
export function lowerLevel(one: LogLevel, other: LogLevel): LogLevel {
  return numberOf(one) <= numberOf(other) ? one : other;
}

/** pino writes the level of each line into a stream that has this symbol. */
const metadataSymbol = Symbol.for("pino.metadata");

interface Flushable extends DestinationStream {
  flush?(done: () => void): void;
  flushSync?(): void;
}

/** Log output with a capture: each gets the lines of its level. */
export class CapturedOutput implements DestinationStream {
  readonly [metadataSymbol] = true;
  lastLevel = 0;
  lastLogger: (Logger & { readonly [printed]?: number }) | null = null;
  readonly #output: Flushable;
  readonly #capture: LineCapture;
  readonly #printedFrom: number;
  readonly #keptFrom: number;
  /** Level number of loggers that use the level of the log. */
  readonly #inherited: number;

  /** `level` is the level that the log prints. */
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

  /** pino calls it to wait for buffered lines. */
  flush(done: () => void): void {
    if (this.#output.flush === undefined) done();
    else this.#output.flush(done);
  }

  /** pino calls it after a `fatal` line. */
  flushSync(): void {
    this.#output.flushSync?.();
  }

  #printedFromBy(logger: Logger & { readonly [printed]?: number }): number {
    const ownLevel = logger[printed];
    if (ownLevel !== undefined) return ownLevel;
    return logger.levelVal === this.#inherited ? this.#printedFrom : logger.levelVal;
  }
}

function numberOf(level: LogLevel): number {
  return pino.levels.values[level] ?? Number.POSITIVE_INFINITY;
}
