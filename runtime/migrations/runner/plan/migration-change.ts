import type { Migration, Step } from "../../../../vocabulary/migrations/migration-steps.ts";
import { type SqlBatches, sqlTexts } from "../../../../vocabulary/migrations/sql-migration.ts";
import { sqlProblems } from "../../../../vocabulary/migrations/sql-problems.ts";
import { MigrationError } from "../migration-error.ts";
import { type OnlinePlan, planOnline, planWhole } from "./online-plan.ts";

/** A migration to apply or revert. */
export interface Change {
  readonly migration: Migration;
  readonly direction: "up" | "down";
  readonly steps: readonly Step[];
  /** Earlier steps in the same transaction. */
  readonly before?: readonly Step[];
  readonly plan: OnlinePlan;
  /** Custom SQL; null for a migration of steps. */
  readonly sql: SqlChange | null;
}

/** Custom SQL in the order of execution: first the texts, then the batches. */
export interface SqlChange {
  readonly texts: readonly string[];
  /** Whether all texts run in one transaction. */
  readonly inTransaction: boolean;
  readonly batches: readonly SqlBatches[];
}

/** The change that applies or reverts a migration. Throws a MigrationError if its custom SQL cannot run. */
export function changeOf(migration: Migration, direction: Change["direction"]): Change {
  const steps = migration[direction];
  // Found changes are compared with the database in the transaction that runs them.
  const plan = migration.found === undefined ? planOnline(steps) : planWhole(steps);
  return { migration, direction, steps, plan, sql: sqlChangeOf(migration, direction) };
}

/** A change that is only recorded in the history, because the tables exist already. */
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
