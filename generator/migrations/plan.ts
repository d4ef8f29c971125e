import type { FoundObject } from "../../vocabulary/migrations/found-objects.ts";
import type { Step } from "../../vocabulary/migrations/migration-steps.ts";
import { type SqlClass, sqlStepId } from "../../vocabulary/migrations/sql-migration.ts";
import type { ServiceDefinition } from "../definition/definition.ts";
import { differences } from "./diff.ts";
import { withFoundParts } from "./found-tables.ts";
import { contentName } from "./migration-name.ts";
import { declaredRenames, reversed, type TableRename } from "./renames.ts";
import type { PlannedChange, Snapshot, Table } from "./schema.ts";
import { tablesOf } from "./snapshot.ts";

/** A new migration. */
export interface PlannedMigration {
  readonly name: string;
  readonly parent: string | null;
  readonly changes: readonly PlannedChange[];
  /** If it describes what a database has: the objects of the database. */
  readonly found?: readonly FoundObject[];
  readonly down: readonly Step[];
}

/** The place of custom SQL in the chain. */
export interface CustomLink {
  readonly name: string;
  readonly parent: string | null;
  /** Its path, relative to the project. */
  readonly file: string;
  readonly class: SqlClass;
  /** Whether its data loss was accepted, if it loses data. */
  readonly accepted: boolean;
  /** Whether this run adds it to the chain. */
  readonly isNew: boolean;
}

export interface MigrationPlan {
  /** Null if the tables are unchanged. */
  readonly migration: PlannedMigration | null;
  /** All links to custom SQL, oldest first. */
  readonly customLinks: readonly CustomLink[];
  /** The tables before and after, and the renames. */
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly renames: readonly TableRename[];
  /** Names of all migrations, oldest first, the planned one included. */
  readonly history: readonly string[];
}

/**
 * Compares the models with the last snapshot. `history` has the names of the migrations up to it, and `known` the renames of
 * migrations that are derived again.
 */
export function planMigration(
  definition: ServiceDefinition,
  before: Snapshot,
  history: readonly string[],
  known: readonly TableRename[] = [],
): MigrationPlan {
  const renames = declaredRenames(before.tables, definition, known);
  const tables = withFoundParts(before.tables, tablesOf(definition), renames, definition);
  const found = differences(before.tables, tables, renames);
  // Before the first migration no database has rows, not even in `users`.
  const changes =
    history.length > 0 ? found : found.map((change) => ({ ...change, class: "additive" as const }));
  if (changes.length === 0)
    return { migration: null, customLinks: [], before, after: { ...before, tables }, renames, history };
  const name = nextName(changes, history);
  const down = stepsBack(tables, before.tables, reversed(renames));
  return {
    migration: { name, parent: history.at(-1) ?? null, changes, down },
    customLinks: [],
    before,
    after: { migration: name, tables },
    renames,
    history: [...history, name],
  };
}

/** The steps that revert a migration, from its tables to those before it. */
export function stepsBack(
  after: readonly Table[],
  before: readonly Table[],
  renames: readonly TableRename[],
): Step[] {
  return differences(after, before, renames).map(({ step }) => withoutDemand(step));
}

/** A required column that is added back is nullable, because existing rows have no value. */
function withoutDemand(step: Step): Step {
  if (step.step !== "add_column" || step.column.nullable || step.column.default !== undefined) return step;
  return { ...step, column: { ...step.column, nullable: true } };
}

/** The first migration is `0001_initial`. Later ones have the next number and are named after their content. */
function nextName(changes: readonly PlannedChange[], history: readonly string[]): string {
  return `${nextNumber(history)}_${history.length === 0 ? "initial" : contentName(changes)}`;
}

/** The next number after existing migrations, with leading zeros as in names. */
export function nextNumber(names: readonly string[]): string {
  const last = Math.max(0, ...names.map((name) => Number.parseInt(name, 10) || 0));
  return String(last + 1).padStart(4, "0");
}

/** Accepted ids without a step: a typo, or a step of an earlier run. */
export function unknownIds(plan: MigrationPlan, accepted: readonly string[]): string[] {
  const own = plan.customLinks
    .filter((link) => link.class === "destructive")
    .map(({ name }) => sqlStepId(name));
  const known = new Set([...(plan.migration?.changes.map(({ id }) => id) ?? []), ...own]);
  return accepted.filter((id) => !known.has(id));
}

/** Destructive steps that are not accepted. */
export function unaccepted(plan: MigrationPlan, accepted: readonly string[]): PlannedChange[] {
  const changes = plan.migration?.changes ?? [];
  return changes.filter((change) => change.class === "destructive" && !accepted.includes(change.id));
}

/** Custom SQL that loses data and is not accepted. */
export function unacceptedCustom({ customLinks }: MigrationPlan): CustomLink[] {
  return customLinks.filter((link) => link.class === "destructive" && !link.accepted);
}
