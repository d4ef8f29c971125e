import type pg from "pg";
import { readDependents } from "../../catalog/index.ts";
import { MigrationError } from "../migration-error.ts";
import { FormerNames } from "../plan/former-names.ts";
import type { Change } from "../plan/migration-change.ts";
import { planWhole } from "../plan/online-plan.ts";
import { sqlName, sqlTable } from "../steps/quoting.ts";
import { lockTables } from "./lock-tables.ts";
import { type Run, recordInHistory } from "./main-transaction.ts";
import { retryOnLock } from "./retry-on-lock.ts";
import { runStatements, StepFailure } from "./run-statements.ts";
import { inTransaction } from "./unfinished.ts";

const nothingApplied = "nothing was applied: the migrations that adopt a database run in one transaction";

/**
 * Applies all changes in one transaction. Throws a MigrationError that names the failed step, or all objects
 * that would make PostgreSQL refuse a step; the database is then unchanged.
 */
export async function adoptDatabase(run: Run, changes: readonly Change[]): Promise<void> {
  const { lock, timing, watch } = run;
  const { client } = lock;
  await requireNoBlockers(client, changes);
  const planned = changes.map((change, index) => ({
    ...change,
    before: changes.slice(0, index).flatMap(({ steps }) => steps),
    plan: planWhole(change.steps),
  }));
  try {
    await retryOnLock(timing, watch.log, async () => {
      await lock.requireHeld();
      await inTransaction(client, async () => {
        for (const change of planned) {
          await recordInHistory(client, change);
          await lockTables(client, change.plan.locks.main, timing.lockTimeoutMs, (statement) =>
            runStatements(client, change, [statement], watch),
          );
          await runStatements(client, change, change.plan.main, watch);
        }
      });
    });
  } catch (error) {
    throw error instanceof StepFailure ? error.toMigrationError(nothingApplied) : error;
  }
}

async function requireNoBlockers(client: pg.Client, changes: readonly Change[]): Promise<void> {
  const columns = changedColumns(changes);
  const { rows } = await client.query<{ schema: string }>("select current_schema() as schema");
  const dependents = await readDependents(client, rows[0]?.schema ?? "public");
  const blocking = dependents.filter(({ table, column }) =>
    columns.some((changed) => changed.table === table && changed.column === column),
  );
  const lines = [
    ...blocking.map(
      ({ table, column, dependent }) =>
        `${dependent} uses ${table}.${column}: drop it first, and create it again afterwards`,
    ),
    ...(await unreadableJson(client, columns)),
  ];
  if (lines.length > 0)
    throw new MigrationError(
      `PostgreSQL would refuse ${changes.map(({ migration }) => migration.name).join(", ")}:\n` +
        `${[...new Set(lines)].map((line) => `  ${line}\n`).join("")}${nothingApplied}`,
    );
}

interface ChangedColumn {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

/** The columns whose type changes, by their current names. */
function changedColumns(changes: readonly Change[]): ChangedColumn[] {
  const names = new FormerNames();
  const columns: ChangedColumn[] = [];
  for (const step of changes.flatMap(({ steps }) => steps)) {
    if (step.step === "set_type") {
      const [table, column] = [names.table(step.table), names.column(step.table, step.column)];
      if (table !== null && column !== null) columns.push({ table, column, type: step.type });
    }
    names.follow(step, false);
  }
  return columns;
}

/** `json` accepts the escape \u0000, `jsonb` does not. */
async function unreadableJson(client: pg.Client, columns: readonly ChangedColumn[]): Promise<string[]> {
  const lines: string[] = [];
  for (const { table, column } of columns.filter(({ type }) => type === "jsonb")) {
    const broken = `FROM ${sqlTable(table)} WHERE ${sqlName(column)}::text ~ '(^|[^\\\\])(\\\\\\\\)*\\\\u0000'`;
    const { rows } = await client.query<{ count: string }>(`SELECT count(*) ${broken}`);
    if (rows[0]?.count !== "0")
      lines.push(
        `rows of ${table}.${column} contain \\u0000 (${rows[0]?.count}), which jsonb cannot store: SELECT * ${broken}`,
      );
  }
  return lines;
}
