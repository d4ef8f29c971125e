import type { Logger } from "pino";
import type { Timing } from "./apply/timing.ts";
import type { CodeMigrations } from "./history/compare-history.ts";

/** A database and the migrations of the code. */
export interface HistoryOptions extends CodeMigrations {
  readonly url: string;
  readonly timing?: Partial<Timing>;
}

export interface MigrateOptions extends HistoryOptions {
  readonly log: Logger;
  /** The last migration to apply or mark; default: all. */
  readonly to?: string;
  /** Runs under the same lock after the migrations, for example to create the job queue. */
  readonly alongside?: (url: string, log: Logger) => Promise<void>;
}

export interface MigrateDownOptions extends HistoryOptions {
  readonly log: Logger;
  /** The last migration to keep; default: revert only the app's last one. */
  readonly to?: string;
  /** Without it, nothing is reverted if that would lose data. */
  readonly acceptDataLoss?: boolean;
}

export interface MarkOptions extends MigrateOptions {
  /** Records them without comparing the tables. */
  readonly unverified?: boolean;
}
