import { isRecord, jsonText } from "../../../vocabulary/json.ts";
import type { Operation } from "../../../vocabulary/operations.ts";
import type { Awaitable } from "../../core/concurrency/index.ts";
import type { Queryable, Transaction } from "../../core/database/index.ts";
import type { Answer } from "../../core/http/index.ts";
import { parseStored } from "../../core/text/index.ts";
import {
  type AppCalls,
  type ChangedContext,
  extend,
  type MutationContext,
  mutationContext,
  type TargetContext,
  type WrittenContext,
} from "../../hooks/context/index.ts";
import { type Hook, type HookScope, hookFault, runHook } from "../../hooks/index.ts";
import { appView, type Grant } from "../../models/access/index.ts";
import type { AnyTypes } from "../../models/index.ts";
import { type BindValue, lockLevelCount, type Plan, type Sql, type Visibility } from "../sql/index.ts";
import { databaseProblem } from "./database-problem.ts";
import { type BoundTarget, type MatchedRows, rowsByIds } from "./matched-rows.ts";
import {
  type CrudOperation,
  hookOriginOf,
  type OperationContext,
  planOf,
  runPlan,
} from "./operation-context.ts";

/** Statements that lock before a write. */
interface Locking {
  /** How many; none where the condition of the write rests only on rows that are found. */
  readonly levels: number;
  /** Tells apart writes whose SQL differs. */
  readonly shape: string;
  /** Those of the write. */
  readonly values: readonly BindValue[];
  /** Ids to which the write keeps from the beginning; else null. */
  readonly pinned?: readonly string[] | null;
  /** The statement of a level; `locked` once rows were locked that are there, whose ids then follow the other values. */
  readonly plan: (level: number, locked: boolean) => Plan;
}

/** What is locked before a write. Arrays are texts as PostgreSQL writes them. */
export interface Locked {
  /** Of the rows that it may touch; null where it may touch all that it finds. */
  readonly ids: BindValue;
  /** Of the rows that its condition begins at where it rests on absence. */
  readonly parents: string | null;
}

/**
 * Locks what a write's condition rests on where that is absence, so that the write's own statement sees whatever came before
 * the locks.
 */
export function lockParents(
  call: OperationContext,
  grant: Grant,
  work: { readonly connection: Queryable },
  locking: Locking,
): Awaitable<Locked> {
  const { levels, pinned = null } = locking;
  return levels === 0 ? { ids: pinned, parents: null } : lockLevels(call, grant, work, locking);
}

async function lockLevels(
  call: OperationContext,
  grant: Grant,
  { connection }: { readonly connection: Queryable },
  { levels, shape, values, pinned = null, plan }: Locking,
): Promise<Locked> {
  let ids: BindValue = pinned;
  const anchors: string[] = [];
  for (let level = 0; level < levels; level++) {
    const locked = ids !== null;
    const made = planOf(call, grant, `lock ${level} ${shape}`, () => plan(level, locked));
    const [row] = await runPlan(call, connection, made, ids === null ? values : [...values, ids]);
    ids = row?.[0] ?? null;
    anchors.push(...(row?.slice(1) ?? []).flatMap((array) => array?.slice(1, -1) || []));
  }
  return { ids, parents: `{${anchors.join()}}` };
}

/** How many statements lock before a write to rows that are there. */
export function levelsOfRows({ model, services }: OperationContext, { scope }: Grant): number {
  return lockLevelCount(scope, model, services.models, "row");
}

/** How many statements lock before records are added. */
export function levelsOfRecords({ model, services }: OperationContext, { insert }: Grant): number {
  return lockLevelCount(insert, model, services.models, "record");
}

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
  readonly execute: (
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
      const execute = (work: MutationScope) => steps.execute(call, grant, work, input);
      return mutate(call, whole, execute).then(({ answer }) => answer);
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
  const context = (hook: string, calls: AppCalls) =>
    mutationContext(hookOriginOf(call.services, call, call.model.key, hook), transaction, calls);
  return { connection: transaction, transaction, ...answeringTo(call), context };
}

/** What hooks of a call are timed by, and what they may throw. */
function answeringTo({ trace, services }: OperationContext): Pick<MutationScope, "trace" | "errors"> {
  return { trace, errors: services.modules.errors };
}

/**
 * An answer once an after-hook has seen its data. `shape` makes the answer of the data. Errors: 500 `INTERNAL_ERROR` for
 * data of another kind than the hook was given, and for what has no JSON (decisions, part 5).
 */
export async function afterHook<Answer extends { readonly data: string }, Data extends object, Context>(
  hook: Hook<Data, Context> | undefined,
  answer: Answer,
  scope: HookScope<Context>,
  shape: (data: Data) => unknown = (given) => given,
): Promise<Answer> {
  if (hook === undefined) return answer;
  const data: Data = parseStored(answer.data);
  const given = await runHook(hook, data, scope);
  if (!isOfKind(data, given)) throw hookFault(hook, "data of another kind than it was given");
  try {
    return { ...answer, data: jsonText(shape(given)) };
  } catch (error) {
    throw hookFault(hook, "what has no JSON", error);
  }
}

/** Rows stay a list of objects, and an object stays one. */
function isOfKind(data: object, given: unknown): boolean {
  if (!Array.isArray(data)) return isRecord(given);
  return Array.isArray(given) && Array.from(given).every(isRecord);
}

/** A before-hook is told the rows that the operation is about to touch; `target` reads what the hook makes of them so far. */
export function withRows(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  touched: MatchedRows,
  sees: Visibility,
  target: () => BoundTarget,
): HookScope<TargetContext<AnyTypes>> {
  return {
    trace: work.trace,
    errors: work.errors,
    context(hook, calls) {
      const context: MutationContext = work.context(hook, calls);
      extend(context, {
        rows: () =>
          calls.serialize(async () => touched.lock(call, grant, requireTransaction(work), target(), sees)),
      });
      return context;
    },
  };
}

/** An after-hook is told the rows that were written. */
export function withAfter(
  call: OperationContext,
  work: MutationScope,
  ids: readonly string[],
): HookScope<WrittenContext<AnyTypes>> {
  const view = appView(call.model);
  return {
    trace: work.trace,
    errors: work.errors,
    context(hook, calls) {
      const context: MutationContext = work.context(hook, calls);
      extend(context, {
        after: () => calls.serialize(() => rowsByIds(call, requireTransaction(work), view, ids)),
      });
      return context;
    },
  };
}

/** An after-hook is told the rows that were changed, and how they were where the before-hook asked. */
export function withBefore(
  scope: HookScope<WrittenContext<AnyTypes>>,
  before: () => ChangedContext<AnyTypes>["before"],
): HookScope<ChangedContext<AnyTypes>> {
  return {
    trace: scope.trace,
    errors: scope.errors,
    context(hook, calls) {
      const context: WrittenContext<AnyTypes> = scope.context(hook, calls);
      extend(context, {
        get before() {
          return before();
        },
      });
      return context;
    },
  };
}

function requireTransaction({ transaction }: MutationScope): Transaction {
  if (transaction === null) throw new Error("a hook runs outside the transaction of its operation");
  return transaction;
}

/** A create or upsert, once its after-hook has seen the data. */
export function written<Data extends object>(
  call: OperationContext,
  hook: Hook<Data, WrittenContext<AnyTypes>> | undefined,
  work: MutationScope,
  { ids, rows }: Changed,
  answer: Answer,
): Awaitable<MutationResult> {
  const result = { ids, rows, written: answer.data, answer };
  return hook === undefined ? result : seenBy(hook, result, withAfter(call, work, ids));
}

/** An update, delete, destroy or restore, once its after-hook has seen the data, and the rows that the before-hook asked for. */
export function changed<Data extends object>(
  call: OperationContext,
  hook: Hook<Data, ChangedContext<AnyTypes>> | undefined,
  work: MutationScope,
  { ids, rows }: Changed,
  answer: Answer,
  touched: MatchedRows | null,
): Awaitable<MutationResult> {
  const result = { ids, rows, written: answer.data, answer };
  if (hook === undefined) return result;
  const scope = withBefore(withAfter(call, work, ids), () => touched?.before);
  return seenBy(hook, result, scope);
}

async function seenBy<Data extends object, Context>(
  hook: Hook<Data, Context>,
  result: MutationResult,
  scope: HookScope<Context>,
): Promise<MutationResult> {
  return { ...result, answer: await afterHook(hook, result.answer, scope) };
}
