import type { Operation } from "../../../vocabulary/operations.ts";
import type { Queryable, Transaction } from "../../core/database/index.ts";
import type { Answer } from "../../core/http/index.ts";
import { type CodeCalls, type MutationContext, mutationContext } from "../../hooks/context/index.ts";
import type { HookScope } from "../../hooks/index.ts";
import type { Grant } from "../../models/access/index.ts";
import type { BindValue, Sql } from "../sql/index.ts";
import { databaseProblem } from "./database-problem.ts";
import { levelsOfRows } from "./lock-anchors.ts";
import { type CrudOperation, hookOriginOf, type OperationContext } from "./operation-context.ts";

/** Where the statements of one mutation run, and what its hooks are told. */
export interface MutationScope extends HookScope<MutationContext> {
  readonly connection: Queryable;
  /** Null for a mutation of a single statement, which is a transaction by itself. */
  readonly transaction: Transaction | null;
}

/** JSON text of each row that a change wrote, made by its statement: of a removed row nothing is left to ask for later. */
export interface Returning {
  /** Tells apart pieces whose SQL differs. */
  readonly shape: string;
  /** Values of the piece; they follow all others of the statement. */
  readonly values: readonly BindValue[];
  /** The text of the row with this alias; `first` is the index of the piece's first value. */
  readonly sql: (alias: string, first: number) => Sql;
}

/** What a change wrote. */
export interface Changed {
  /** Every row, whatever the role may read of it, as PostgreSQL writes ids; in their order. */
  readonly ids: readonly string[];
  /** A text for each id, where a `Returning` asked for it; else none. */
  readonly rows: readonly string[];
}

/** What a mutation did. */
export interface MutationResult extends Changed {
  /** What the after-hook was given, as JSON text. */
  readonly written: string;
  /** What REST answers: as the after-hook leaves it. */
  readonly answer: Answer;
}

/** What an operation that writes does inside a transaction, or as a single statement. */
export interface MutationSteps<Single> {
  /** Refuses what needs neither a statement nor a hook to be refused. `perform` does so too. */
  readonly check: (call: OperationContext, input: Single) => void;
  /** Writes, hooks included. */
  readonly perform: (
    call: OperationContext,
    grant: Grant,
    work: MutationScope,
    input: Single,
    text?: Returning,
  ) => Promise<MutationResult>;
}

/** An operation that writes. `run` is a transaction of its own where it needs one; `perform` may share one with others. */
export interface Mutation<Op extends Operation, Single, Input = Single>
  extends CrudOperation<Op, Input>,
    MutationSteps<Single> {}

/** The operations that write. */
export const writeOperations = ["create", "update", "upsert", "delete", "destroy", "restore"] as const;

export type WriteOperation = (typeof writeOperations)[number];

/** Ties the steps of a mutation together. `atomic` tells when it needs a transaction even without hooks. */
export function mutation<Op extends WriteOperation, Single>(
  operation: Op,
  steps: MutationSteps<Single>,
  atomic: (call: OperationContext, grant: Grant) => boolean = (call, grant) => levelsOfRows(call, grant) > 0,
): Mutation<Op, Single> {
  return {
    ...steps,
    operation,
    run(call, grant, input) {
      const { [`before_${operation}` as const]: before, [`after_${operation}` as const]: after } =
        call.entry.hooks;
      const whole = before !== undefined || after !== undefined || atomic(call, grant);
      const perform = (work: MutationScope) => steps.perform(call, grant, work, input);
      return mutate(call, whole, perform).then(({ answer }) => answer);
    },
  };
}

/**
 * Runs a mutation. Hooks run inside its transaction, so that a throw in one rolls everything back; without hooks a
 * mutation of one statement needs no transaction of its own.
 */
export function mutate<Result>(
  call: OperationContext,
  atomic: boolean,
  work: (work: MutationScope) => Promise<Result>,
): Promise<Result> {
  if (atomic) return mutateWhole(call, work);
  const { services, trace } = call;
  const { database, modules } = services;
  const scope = { connection: database, transaction: null, trace, errors: modules.errors, context: noHooks };
  const { ensureNotRevoked } = call;
  return ensureNotRevoked === null ? work(scope) : ensureNotRevoked().then(() => work(scope));
}

async function mutateWhole<Result>(
  call: OperationContext,
  work: (work: MutationScope) => Promise<Result>,
): Promise<Result> {
  try {
    return await transactionOf(call, (transaction) => work(mutationScope(call, transaction)));
  } catch (error) {
    throw databaseProblem(error, null);
  }
}

/** A transaction for what a caller writes, once the caller's token is known to be good. `prepare` runs before it begins. */
export async function transactionOf<Result>(
  { services, ensureNotRevoked }: Pick<OperationContext, "services" | "ensureNotRevoked">,
  work: (transaction: Transaction) => Promise<Result>,
  prepare?: () => Promise<void>,
): Promise<Result> {
  await ensureNotRevoked?.();
  await prepare?.();
  return services.database.transaction(work);
}

function noHooks(): never {
  throw new Error("a mutation with hooks was run without a transaction");
}

/** Makes a mutation part of a transaction. */
export function mutationScope(call: OperationContext, transaction: Transaction): MutationScope {
  const context = (hook: string, calls: CodeCalls) =>
    mutationContext(hookOriginOf(call.services, call, call.model.key, hook), transaction, calls);
  return { connection: transaction, transaction, ...answeringTo(call), context };
}

/** What hooks of a call are timed by, and what they may throw. */
function answeringTo({ trace, services }: OperationContext): Pick<MutationScope, "trace" | "errors"> {
  return { trace, errors: services.modules.errors };
}
