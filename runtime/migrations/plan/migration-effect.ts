import type { Step } from "../../../vocabulary/migration-steps.ts";
import type { SqlClass } from "../../../vocabulary/sql-migration.ts";
import { lossesOf } from "../steps/losses.ts";
import { planOnline } from "./online-plan.ts";

/** What a migration of steps means for those who work meanwhile, and for their data. Tables are named as they were before it. */
export interface MigrationEffect {
  readonly class: SqlClass;
  /** What it loses, one line each. */
  readonly loses: readonly string[];
  readonly makes: readonly string[];
  /** Tables that everybody waits for, but for a moment, however large they are. */
  readonly locksBriefly: readonly string[];
  /** Tables that are read or indexed as a whole while everybody works. */
  readonly reads: readonly string[];
  /** Tables that nobody writes, or uses, for as long as their size takes. */
  readonly locks: readonly string[];
}

/** Tells it of steps, as they are planned for a database that is in use. */
export function effectOf(steps: readonly Step[]): MigrationEffect {
  const { online, locks } = planOnline(steps);
  const onlineSteps = new Set(online.map(({ step }) => step));
  const made = steps.flatMap((step) => (step.step === "create_table" ? [step.table] : []));
  const all = [...locks.ahead, ...locks.main];
  const isLong = (place: number) => !onlineSteps.has(place) && steps.slice(place, place + 1).some(takesLong);
  const long = new Set(all.filter(({ step }) => isLong(step)).map(({ table }) => table));
  const reads = steps.flatMap((step, place) => (onlineSteps.has(place) ? [step.table] : []));
  const loses = lossesOf(steps);
  return {
    class: loses.length > 0 ? "destructive" : steps.some(breaksOlder) ? "breaks-older-code" : "additive",
    loses,
    makes: made,
    locksBriefly: once(all.map(({ table }) => table).filter((table) => !long.has(table))),
    reads: once(reads),
    locks: [...long],
  };
}

/** Whether a step that nothing prepares reads, indexes or writes a whole table. */
function takesLong(step: Step): boolean {
  switch (step.step) {
    case "set_type":
    case "set_id_type":
    case "add_primary_key":
    case "add_index":
    case "add_check":
    case "add_foreign_key":
      return true;
    case "set_nullable":
      return !step.nullable;
    case "add_column": {
      const { default: value } = step.column;
      return value === "identity" || value === "sequence" || value === "random_uuid";
    }
    default:
      return false;
  }
}

/** Whether code of before it fails where it uses what the step touches. */
function breaksOlder(step: Step): boolean {
  if (step.step === "add_column") return !step.column.nullable && step.column.default === undefined;
  return step.step === "rename_table" || step.step === "rename_column";
}

function once(names: readonly string[]): string[] {
  return [...new Set(names)];
}
