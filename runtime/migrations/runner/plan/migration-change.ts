import type { Migration, Step } from "../../../../vocabulary/migrations/migration-steps.ts";
import { type SqlBatches, sqlTexts } from "../../../../vocabulary/migrations/sql-migration.ts";
import { sqlProblems } from "../../../../vocabulary/migrations/sql-problems.ts";
import { MigrationError } from "../migration-error.ts";
import { type OnlinePlan, planOnline } from "./online-plan.ts";

/** A migration that is to be applied or taken back. */
export interface Change {
  readonly migration: Migration;
  readonly direction: "up" | "down";
  readonly steps: readonly Step[];
  /** Steps that came before it in the same transaction. */
  readonly before?: readonly Step[];
  readonly plan: OnlinePlan;
  /** What is done by SQL of the app's own; null where steps say it. */
  readonly sql: SqlChange | null;
}

/** SQL of the app's own as it runs: first the texts, then the batches. */
export interface SqlChange {
  readonly texts: readonly string[];
  /** All texts are one transaction. */
  readonly inTransaction: boolean;
  readonly batches: readonly SqlBatches[];
}

/**
 * What applies a migration, or takes it back. Throws a MigrationError where SQL of the app's own cannot be
 * carried out.
 */
export function changeOf(migration: Migration, direction: Change["direction"]): Change {
  const steps = migration[direction];
  return { migration, direction, steps, plan: planOnline(steps), sql: sqlChangeOf(migration, direction) };
}

/** A change that only the history learns of: the tables are there. */
export function markOnly(migration: Migration): Change {
  return { migration, direction: "up", steps: [], plan: planOnline([]), sql: null };
}

function sqlChangeOf({ name, sql }: Migration, direction: Change["direction"]): SqlChange | null {
  if (sql === undefined) return null;
  if (direction === "down" && sql.down === undefined)
    throw new MigrationError(
      `${name} cannot be reverted: its file has no down; a new migration can undo its changes`,
    );
  const [problem] = direction === "up" ? sqlProblems(sql) : [];
  if (problem !== undefined) throw new MigrationError(`${name} cannot be applied: ${problem}`);
  return {
    texts: sqlTexts(sql[direction]),
    inTransaction: sql.transaction !== false,
    batches: direction === "up" ? (sql.batches ?? []) : [],
  };
}
