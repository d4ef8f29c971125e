import pg from "pg";
import { columnsOfCondition } from "../../../../vocabulary/conditions/check-tree.ts";
import { isBuiltIn } from "../history/compare-history.ts";
import { MigrationError } from "../migration-error.ts";
import type { Change } from "../plan/migration-change.ts";
import type { Statement } from "../plan/online-plan.ts";
import { sqlTable } from "../steps/quoting.ts";
import { type Watch, withProgressLog } from "./watch-progress.ts";

/** A statement failed. The caller adds the outcome for the migration. */
export class StepFailure extends Error {
  override readonly name = "StepFailure";
  readonly #change: Change;
  readonly #place: string;
  readonly #reason: string;

  /** `place` is where it failed, `hint` the fix. `isUndone`: the rollback removes names in the message. */
  constructor(change: Change, place: string, cause: unknown, hint = "", isUndone = false) {
    const message = reasonOf(change, cause);
    const reason = `${isUndone ? message.replace(violationQuery, "") : message}${hint}`;
    super(`${change.migration.name}, ${place}: ${reason}`, { cause });
    this.#change = change;
    this.#place = place;
    this.#reason = reason;
  }

  toMigrationError(outcome: string): MigrationError {
    const { name } = this.#change.migration;
    const what = this.#change.direction === "up" ? "failed" : "could not be reverted: it failed";
    return new MigrationError(`${name} ${what} at ${this.#place}: ${this.#reason}; ${outcome}`, {
      cause: this.cause,
    });
  }
}

/** Runs statements of a change in sequence. Throws a StepFailure. */
export async function runStatements(
  connection: pg.ClientBase,
  change: Change,
  statements: readonly Statement[],
  watch: Watch,
): Promise<void> {
  const { rows } = await connection.query<{ pid: number }>("select pg_backend_pid() as pid");
  for (const { step, sql } of statements) {
    const what = `${change.migration.name}, ${describeStep(change, step)}`;
    watch.log.debug({ migration: change.migration.name }, what);
    try {
      await withProgressLog(watch, what, rows[0]?.pid ?? 0, () => connection.query(sql));
    } catch (error) {
      const hint = hintFor(change, step, error);
      throw new StepFailure(change, describeStep(change, step), error, hint, usesNewNames(change, step));
    }
  }
}

/** The query in the message of a violated check, which finds the rows. */
const violationQuery = /: SELECT \* from .*$/s;

/** Whether a check uses tables or columns that exist only until the transaction is rolled back. */
function usesNewNames({ steps, before = [] }: Change, at: number): boolean {
  const step = steps[at];
  if (step?.step !== "add_check" || !("condition" in step.check)) return false;
  const { table } = step;
  const columns = columnsOfCondition(step.check.condition);
  return [...before, ...steps.slice(0, at)].some((other) => {
    if (other.step === "rename_table") return other.to === table;
    if (other.table !== table) return false;
    if (other.step === "rename_column") return columns.includes(other.to);
    return other.step === "add_column" && columns.includes(other.column.name);
  });
}

function describeStep({ steps }: Change, at: number): string {
  const step = steps[at];
  return `step ${at + 1} of ${steps.length} (${step?.step} on ${step?.table})`;
}

/** PostgreSQL's message with final names, and its details unless they contain row values. */
function reasonOf({ plan }: Change, error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  const detail = error instanceof pg.DatabaseError && !holdsValues(error) ? error.detail : undefined;
  const message = detail === undefined ? text : `${text} (${detail.replaceAll("\n", "; ")})`;
  return [...plan.names].reduce(
    (text, [temporary, called]) => text.replaceAll(`"${temporary}"`, `"${called}"`),
    message,
  );
}

const duplicateTable = "42P07";
const duplicateColumn = "42701";

/** The fix if a table or column of that name already exists, such as `users` for accounts. */
function hintFor({ migration, steps }: Change, at: number, error: unknown): string {
  const step = steps[at];
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  const isServices = isBuiltIn(migration.name);
  if (step?.step === "add_column" && code === duplicateColumn && isServices)
    return (
      "; this version of kirak adds a column of that name: with the previous version, rename the app's column " +
      '("renamed_from") and migrate, then upgrade'
    );
  if (step?.step !== "create_table" || code !== duplicateTable) return "";
  const rename = `rename it (ALTER TABLE ${sqlTable(step.table)} RENAME TO …) or drop it, and migrate again`;
  if (!isServices) return `; the service did not create this table: ${rename}`;
  return `; if the service did not create this table, ${rename}; in a copy of a database without its history, run npm run migrate -- baseline ${migration.name}`;
}

/** Messages of data exceptions and violated constraints quote the row. */
function holdsValues({ code = "" }: pg.DatabaseError): boolean {
  return code.startsWith("22") || code.startsWith("23");
}
