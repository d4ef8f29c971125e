import pg from "pg";
import { columnsOfCondition } from "../../../../vocabulary/conditions/check-tree.ts";
import { isBuiltIn } from "../history/compare-history.ts";
import { MigrationError } from "../migration-error.ts";
import type { Change } from "../plan/migration-change.ts";
import type { Statement } from "../plan/online-plan.ts";
import { sqlName } from "../steps/quoting.ts";
import { type Watch, withProgressLog } from "./watch-progress.ts";

/** A statement failed. What became of the migration is for the caller to say. */
export class StepFailure extends Error {
  override readonly name = "StepFailure";
  readonly #change: Change;
  readonly #place: string;
  readonly #reason: string;

  /** `place` is where it failed, `hint` what to do about it; `isUndone` that names of the step go with the transaction. */
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
    const what = this.#change.direction === "up" ? "failed" : "could not be taken back: it failed";
    return new MigrationError(`${name} ${what} at ${this.#place}: ${this.#reason}; ${outcome}`, {
      cause: this.cause,
    });
  }
}

/** Runs statements of a change one after the other. Throws a StepFailure. */
export async function runStatements(
  connection: pg.ClientBase,
  change: Change,
  statements: readonly Statement[],
  watch: Watch,
): Promise<void> {
  const { rows } = await connection.query<{ pid: number }>("select pg_backend_pid() as pid");
  for (const { step, sql } of statements) {
    const what = `${change.migration.name}, ${placeOf(change, step)}`;
    watch.log.debug({ migration: change.migration.name }, what);
    try {
      await withProgressLog(watch, what, rows[0]?.pid ?? 0, () => connection.query(sql));
    } catch (error) {
      const hint = hintFor(change, step, error);
      throw new StepFailure(change, placeOf(change, step), error, hint, usesNewNames(change, step));
    }
  }
}

/** The statement by which a check finds the rows that break it. */
const violationQuery = /: SELECT \* from .*$/s;

/** Whether a check is about names that are gone once the transaction is undone. */
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

function placeOf({ steps }: Change, at: number): string {
  const step = steps[at];
  return `step ${at + 1} of ${steps.length} (${step?.step} on ${step?.table})`;
}

/** PostgreSQL's message, with the names that people know, and its details unless they hold values of rows. */
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

/** What to do where the database has a table or a column of a name that a migration needs, such as `users` for the accounts. */
function hintFor({ migration, steps }: Change, at: number, error: unknown): string {
  const step = steps[at];
  const code = error instanceof pg.DatabaseError ? error.code : undefined;
  const own = isBuiltIn(migration.name);
  if (step?.step === "add_column" && code === duplicateColumn && own)
    return (
      "; the service has a column of that name from this version of kirak on: with the version before, give the app's " +
      'another name ("renamed_from") and migrate, then come back'
    );
  if (step?.step !== "create_table" || code !== duplicateTable) return "";
  const rename = `rename it (ALTER TABLE ${sqlName(step.table)} RENAME TO …) or drop it, and migrate again`;
  if (!own) return `; it is none of the service's: ${rename}`;
  return `; if it is none of the service's, ${rename}; in a copy without its history note it: npm run migrate -- baseline ${migration.name}`;
}

/** Data exceptions and violated constraints quote the row. */
function holdsValues({ code = "" }: pg.DatabaseError): boolean {
  return code.startsWith("22") || code.startsWith("23");
}
