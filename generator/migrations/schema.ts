import type {
  Check,
  Column,
  ForeignKey,
  Index,
  PrimaryKey,
  Step,
} from "../../vocabulary/migrations/migration-steps.ts";

/** A table of a model. The model's key distinguishes a renamed table from a dropped one. */
export type Table = {
  readonly model: string;
  readonly name: string;
  /** Whether the table was there before Kirak: migrations leave what models do not name. */
  readonly found?: true;
  /** Absent if `id` is the primary key. Absent for a found table without a primary key. */
  readonly primaryKey?: PrimaryKey;
  readonly columns: readonly Column[];
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly Check[];
};

/** The columns of the primary key. */
export function keyOf(table: Table): readonly string[] {
  return table.primaryKey?.columns ?? (table.found === true ? [] : ["id"]);
}

/** The tables after all migrations, as far as the app can refer to them, and the app's last migration. */
export interface Snapshot {
  readonly migration: string | null;
  readonly tables: readonly Table[];
}

/**
 * The effect of a step on data: `additive` adds something, `widening` allows more than before, `destructive` loses rows or
 * values, or can fail on them.
 */
export type StepClass = "additive" | "widening" | "destructive";

/** A step, its class, and the id for `--accept`. */
export interface PlannedChange {
  readonly step: Step;
  readonly class: StepClass;
  readonly id: string;
  /** The effect on data. Every destructive step has it. */
  readonly why?: string;
  /** Runs to the same result without data loss. */
  readonly safely?: readonly string[];
  /** PostgreSQL locks the table while it rewrites all rows. */
  readonly rewrites?: true;
  /** Running instances with older code fail after the migration. */
  readonly breaksOlder?: true;
}
