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
  /** Absent where `id` is the primary key. */
  readonly primaryKey?: PrimaryKey;
  readonly columns: readonly Column[];
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly Check[];
};

/** The columns of the primary key of a table. */
export function keyOf(table: Table): readonly string[] {
  return table.primaryKey?.columns ?? ["id"];
}

/** The tables that the migrations of the service itself and the app's add up to, as far as the app can refer to them, and the app's last one. */
export interface Snapshot {
  readonly migration: string | null;
  readonly tables: readonly Table[];
}

/**
 * What a step does to data: `additive` adds something, `widening` admits more than before, `destructive` loses
 * rows or values, or fails on them.
 */
export type StepClass = "additive" | "widening" | "destructive";

/** A step, its class, and the id by which a person accepts it. */
export interface PlannedChange {
  readonly step: Step;
  readonly class: StepClass;
  readonly id: string;
  /** The effect on data. Every destructive step has it. */
  readonly why?: string;
  /** The runs that get there without a loss. */
  readonly safely?: readonly string[];
  /** PostgreSQL rewrites the whole table, and locks it meanwhile. */
  readonly rewrites?: true;
  /** Statements of instances that run code from before the migration fail on what it touches. */
  readonly breaksOlder?: true;
}
