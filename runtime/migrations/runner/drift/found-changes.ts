import type pg from "pg";
import type { Logger } from "pino";
import type { Migration, Step } from "../../../../vocabulary/migrations/migration-steps.ts";
import { madeFoundTables } from "../history/baseline-objects.ts";
import { MigrationError } from "../migration-error.ts";
import { type Change, markOnly } from "../plan/migration-change.ts";
import { sqlName, sqlTable } from "../steps/quoting.ts";
import { type Lack, lacksOf } from "./found-effects.ts";

const nothing = "nothing was changed: migrate the tables with that application";

/**
 * The change that a migration of found tables makes in this database: none if the application that owns the tables has made it
 * already. `migrations` are all of the app: the database can have the changes of later ones too. Throws a MigrationError if the
 * database has only a part of the change, if another application has to make it first, or if the steps would lose values.
 */
export async function foundChange(
  client: pg.Client,
  change: Change,
  migrations: readonly Migration[],
  log: Logger,
): Promise<Change> {
  const { migration, direction, steps } = change;
  const { name, found } = migration;
  if (found === undefined || direction === "down" || steps.length === 0) return change;
  const at = migrations.findIndex((one) => one.name === name);
  const later = migrations.slice(at + 1).filter((one) => one.found !== undefined);
  const isFirst = !migrations.slice(0, at).some((one) => one.found !== undefined);
  const isMade = isFirst || (await madeFoundTables(client));
  const effects = withoutUndone(await lacksOf(client, steps, found, isMade ? [] : later), later);
  const lacking = effects.flat();
  if (lacking.length === 0) {
    log.info({ migration: name }, `the database has the tables of ${name} already: it is only recorded`);
    return markOnly(migration);
  }
  // Lacks nothing of a step, or only a part of it.
  const isPart = effects.some((lacks) => !lacks.some(({ whole }) => whole));
  if (isPart || !isMade)
    throw new MigrationError(
      `the database has ${isPart ? "only a part" : "nothing"} of ${name}, which describes tables of another application:\n` +
        `${lacking.map(({ place, what }) => `  ${place.join(".")}: ${what}\n`).join("")}${nothing}, then migrate again`,
    );
  const held = await heldValues(client, steps);
  if (held.length > 0)
    throw new MigrationError(
      `${name} describes tables of another application, and its steps would lose values of ${held.join(", ")}; ` +
        `${nothing}, or change them by hand, then migrate again`,
    );
  return change;
}

/** What the database lacks, without what later changes of found tables drop, rename or convert. */
function withoutUndone(effects: readonly Lack[][], later: readonly Migration[]): Lack[][] {
  const steps = later.flatMap(({ up }) => up);
  const added = new Set(steps.flatMap(addedBy));
  const retyped = new Set([...steps.flatMap(retypedBy), ...added]);
  // A part that comes back later is not gone.
  const gone = new Set(steps.flatMap(undoneBy).filter((key) => !added.has(key)));
  return effects.flatMap((lacks) => {
    const left = lacks.filter(({ place: [table, column = null], isMistyped }) => {
      const isGone = gone.has(keyOf(table, null)) || gone.has(keyOf(table, column));
      return !isGone && !(isMistyped && retyped.has(keyOf(table, column)));
    });
    return lacks.length > 0 && left.length === 0 ? [] : [left];
  });
}

function keyOf(table: string, column: string | null): string {
  return JSON.stringify([table, column]);
}

function undoneBy(step: Step): string[] {
  switch (step.step) {
    case "drop_table":
    case "rename_table":
      return [keyOf(step.table, null)];
    case "drop_column":
    case "rename_column":
      return [keyOf(step.table, step.column)];
    default:
      return [];
  }
}

function addedBy(step: Step): string[] {
  if (step.step === "create_table") return [keyOf(step.table, null)];
  return step.step === "add_column" ? [keyOf(step.table, step.column.name)] : [];
}

function retypedBy(step: Step): string[] {
  if (step.step === "set_id_type") return [keyOf(step.table, "id")];
  return step.step === "set_type" ? [keyOf(step.table, step.column)] : [];
}

/** The tables and columns with values that steps would drop or convert. */
async function heldValues(client: pg.Client, steps: readonly Step[]): Promise<string[]> {
  const held: string[] = [];
  for (const step of steps) {
    const isWhole = step.step === "drop_table";
    const isId = step.step === "set_id_type";
    if (!isWhole && !isId && step.step !== "drop_column" && step.step !== "set_type") continue;
    const column = isWhole ? null : isId ? "id" : step.column;
    const where = column === null ? "" : ` where ${sqlName(column)} is not null`;
    const { rows } = await client.query<{ held: boolean }>(
      `select exists (select from ${sqlTable(step.table)}${where}) as held`,
    );
    if (rows[0]?.held === true) held.push(column === null ? step.table : `${step.table}.${column}`);
  }
  return held;
}
