import type { Step } from "../../../../vocabulary/migrations/migration-steps.ts";
import { stepToSql } from "../steps/steps-to-sql.ts";
import { FormerNames } from "./former-names.ts";
import { partsOf, type StepParts } from "./online-parts.ts";
import { type TableLock, temporaryName, type Undo } from "./undo.ts";

/** A statement, and the index of its step in the migration. */
export interface Statement {
  readonly step: number;
  readonly sql: string;
}

/** A statement that is retried on its own. */
export interface OnlineStatement extends Statement {
  /** Removes the leftovers of a failed attempt. */
  readonly cleanup?: string;
}

/** Statements that apply a migration while the database is in use; all in `main` if `online` is empty. */
export interface OnlinePlan {
  /** Outside of transactions, before all others: no transaction can use a value that it adds to an enum type. They stay. */
  readonly first: readonly Statement[];
  /** One transaction. Its objects are new, so removing them loses no data. */
  readonly ahead: readonly Statement[];
  /** Outside of transactions: statements that read whole tables and do not block writes. */
  readonly online: readonly OnlineStatement[];
  /** One transaction: the remaining part of each step, in order. */
  readonly main: readonly Statement[];
  /** Removes the objects that `ahead` and `online` created, in that order. */
  readonly undo: readonly Undo[];
  /** The tables that the two transactions lock at their start. */
  readonly locks: { readonly ahead: readonly TableLock[]; readonly main: readonly TableLock[] };
  /** Temporary names in PostgreSQL's messages, and the final names. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * Plans steps on tables that are in use. Indexes are built concurrently. Constraints are added `NOT VALID`
 * and then validated. Both get temporary names, which the main transaction replaces. A step that conflicts
 * with another step runs unchanged in the main transaction, so the result is always that of `stepToSql` for
 * all steps.
 */
export function planOnline(steps: readonly Step[]): OnlinePlan {
  return planned(steps, true);
}

/** Plans all steps unchanged, in one transaction. */
export function planWhole(steps: readonly Step[]): OnlinePlan {
  return planned(steps, false);
}

function planned(steps: readonly Step[], inUse: boolean): OnlinePlan {
  const names = new FormerNames();
  const locks: Record<"ahead" | "main" | "plain", TableLock[]> = { ahead: [], main: [], plain: [] };
  const parts = steps.map((step, index) => {
    const part = partsOf(step, temporaryName(index), names);
    if (part?.ahead !== undefined) locks.ahead.push(...locksAhead(step, index, names));
    locks.main.push(...locksInMain(step, part, index, names));
    locks.plain.push(...locksInMain(step, null, index, names));
    names.follow(step, part?.ahead !== undefined && part.main === undefined);
    return part;
  });
  if (!inUse || !parts.some((part) => part?.online !== undefined)) return plainPlan(steps, locks.plain);
  const statements = (pick: (part: StepParts) => string | undefined) =>
    parts.flatMap((part, step) => {
      const sql = part === null ? undefined : pick(part);
      return sql === undefined ? [] : [{ step, sql }];
    });
  return {
    first: firstStatements(steps),
    ahead: statements((part) => part.ahead),
    online: statements((part) => part.online).map((statement) => {
      const cleanup = parts[statement.step]?.cleanup;
      return cleanup === undefined ? statement : { ...statement, cleanup };
    }),
    main: steps.flatMap((step, index) => {
      const part = parts[index];
      const left = part ? (part.main ?? []) : isFirst(step) ? [] : [stepToSql(step)];
      return left.map((sql) => ({ step: index, sql }));
    }),
    undo: parts.flatMap((part) => part?.undo ?? []).reverse(),
    locks,
    names: new Map(
      parts.flatMap((part, index) => (part?.finalName ? [[temporaryName(index), part.finalName]] : [])),
    ),
  };
}

function plainPlan(steps: readonly Step[], locks: readonly TableLock[]): OnlinePlan {
  const main = statementsOf(steps, (step) => !isFirst(step));
  return {
    ...{ first: firstStatements(steps), ahead: [], online: [], main, undo: [] },
    ...{ locks: { ahead: [], main: locks }, names: new Map() },
  };
}

function firstStatements(steps: readonly Step[]): Statement[] {
  return statementsOf(steps, isFirst);
}

function isFirst({ step }: Step): boolean {
  return step === "add_enum_value";
}

function statementsOf(steps: readonly Step[], isIncluded: (step: Step) => boolean): Statement[] {
  return steps.flatMap((step, index) => (isIncluded(step) ? [{ step: index, sql: stepToSql(step) }] : []));
}

/** The tables that a step locks if it runs before the main transaction. */
function locksAhead(step: Step, place: number, names: FormerNames): TableLock[] {
  if (step.step === "create_table") return [];
  return step.step === "add_foreign_key"
    ? shared([step.table, step.foreignKey.references.table], place, names)
    : exclusive(step.table, place, names);
}

/** The tables that a step locks in the main transaction; `part` is null if no part of it was prepared. */
function locksInMain(step: Step, part: StepParts | null, place: number, names: FormerNames): TableLock[] {
  const isPrepared = part !== null;
  switch (step.step) {
    case "create_table":
    case "rename_index":
    case "add_enum_value":
    case "rename_enum_value":
      return [];
    case "add_index":
      return isPrepared ? [] : shared([step.table], place, names);
    case "add_foreign_key":
      if (isPrepared) break;
      return shared([step.table, step.foreignKey.references.table], place, names);
    case "drop_table":
      return exclusive(step.table, place, names, "all");
    case "drop_foreign_key":
      return exclusive(step.table, place, names, { name: step.name });
    case "drop_column":
    case "set_type":
      return exclusive(step.table, place, names, { column: names.column(step.table, step.column) });
    case "set_id_type":
      return [step, ...step.references].flatMap(({ table }) => exclusive(table, place, names));
  }
  return isPrepared && part.main === undefined ? [] : exclusive(step.table, place, names);
}

function exclusive(table: string, step: number, names: FormerNames, keys?: TableLock["keys"]): TableLock[] {
  const former = names.isNew(table) ? null : names.table(table);
  if (former === null) return [];
  return [{ step, table: former, mode: "access exclusive", ...(keys === undefined ? {} : { keys }) }];
}

function shared(tables: readonly string[], step: number, names: FormerNames): TableLock[] {
  return tables
    .flatMap((table) => exclusive(table, step, names))
    .map((lock) => ({ ...lock, mode: "share row exclusive" }));
}
