import { isRecord, jsonText } from "../../../vocabulary/json.ts";
import type { Operation } from "../../../vocabulary/operations.ts";
import type { Awaitable } from "../../core/concurrency/index.ts";
import type { Queryable, Transaction } from "../../core/database/index.ts";
import type { SuccessResponse } from "../../core/http/index.ts";
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
import type { AnyTypes, Model } from "../../models/index.ts";
import { type BindValue, lockLevelCount, type Plan, type Sql, type Visibility } from "../sql/index.ts";
import { databaseProblem, type SentValue, sentValues, withInvalidField } from "./database-problem.ts";
import { type BoundTarget, type MatchedRows, rowsByIds } from "./matched-rows.ts";
import {
  type CrudOperation,
  hookOriginOf,
  type OperationContext,
  planOf,
  runPlan,
} from "./operation-context.ts";

/** Statements that lock rows before a write. */
interface Locking {
  /** The number of statements; 0 if the condition of the write depends only on existing rows. */
  readonly levels: number;
  /** Cache key: equal for the same SQL. */
  readonly shape: string;
  /** The values of the write. */
  readonly values: readonly BindValue[];
  /** The ids to which the request limits the write; null without such a limit. */
  readonly pinned?: readonly string[] | null;
  /**
   * The statement of a level. If `locked`, existing rows were locked by an earlier one, and their ids follow
   * the other values.
   */
  readonly plan: (level: number, locked: boolean) => Plan;
}

/** The locked rows. Arrays are in PostgreSQL's text form. */
export interface Locked {
  /** The ids that the write may change; null for all that match. */
  readonly ids: BindValue;
  /** The names of the parent rows, if the condition depends on absent rows. */
  readonly parents: string | null;
}

/**
 * Takes the locks for a write whose condition depends on absent rows. The statement of the write then sees
 * everything that was committed before the locks.
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
  const parents: string[] = [];
  for (let level = 0; level < levels; level++) {
    const locked = ids !== null;
    const made = planOf(call, grant, `lock ${level} ${shape}`, () => plan(level, locked));
    const [row] = await runPlan(call, connection, made, ids === null ? values : [...values, ids]);
    ids = row?.[0] ?? null;
    parents.push(...(row?.slice(1) ?? []).flatMap((array) => array?.slice(1, -1) || []));
  }
  return { ids, parents: `{${parents.join()}}` };
}

/** The number of locking statements before a write to existing rows. */
export function rowLockLevels({ model, services }: OperationContext, { scope }: Grant): number {
  return lockLevelCount(scope, model, services.models, "row");
}

/** The number of locking statements before an insert. */
export function recordLockLevels({ model, services }: OperationContext, { insert }: Grant): number {
  return lockLevelCount(insert, model, services.models, "record");
}

/** Where a mutation's statements run, and the context of its hooks. */
export interface MutationScope extends HookScope<MutationContext> {
  readonly connection: Queryable;
  /** Null for a single statement, which is its own transaction. */
  readonly transaction: Transaction | null;
}

/**
 * Text of each changed row from the statement itself, because the row before the write cannot be read
 * afterwards.
 */
export interface Returning {
  /** Cache key: equal for the same SQL. */
  readonly shape: string;
  /** Values of the SQL, after all others of the statement. */
  readonly values: readonly BindValue[];
  /** The text of the row with this alias; `first` is the position of the first value. */
  readonly sql: (alias: string, first: number) => Sql;
}

export interface Changed {
  /** The id of every row, even if the role may not read it, in PostgreSQL's text form and in order. */
  readonly ids: readonly string[];
  /** A text for each id if there is a `Returning`; otherwise empty. */
  readonly rows: readonly string[];
}

export interface MutationResult extends Changed {
  /** The input of the after-hook, as JSON text. */
  readonly written: string;
  /** The response of REST, after the after-hook. */
  readonly answer: SuccessResponse;
}

/** The steps of a write operation. */
export interface MutationSteps<Single> {
  /** Rejects invalid input before any statement or hook. `execute` does so too. */
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

/** A write operation. `run` starts a transaction if it needs one; `execute` can share one. */
export interface Mutation<Op extends Operation, Single, Input = Single>
  extends CrudOperation<Op, Input>,
    MutationSteps<Single> {}

export const writeOperations = ["create", "update", "upsert", "delete", "destroy", "restore"] as const;

export type WriteOperation = (typeof writeOperations)[number];

/** Makes a mutation from its steps. `atomic`: it needs a transaction even without hooks. */
export function mutation<Op extends WriteOperation, Single>(
  operation: Op,
  steps: MutationSteps<Single>,
  atomic: (call: OperationContext, grant: Grant) => boolean = (call, grant) => rowLockLevels(call, grant) > 0,
): Mutation<Op, Single> {
  const execute: MutationSteps<Single>["execute"] = (call, grant, work, input, text) =>
    steps.execute(call, grant, work, input, text).catch((error: unknown) => {
      throw withInvalidField(error, inputValues(call.model, input));
    });
  return {
    ...steps,
    execute,
    operation,
    run(call, grant, input) {
      const { [`before_${operation}` as const]: before, [`after_${operation}` as const]: after } =
        call.entry.hooks;
      const whole = before !== undefined || after !== undefined || atomic(call, grant);
      return mutate(call, whole, (work) => execute(call, grant, work, input)).then(({ answer }) => answer);
    },
  };
}

/** The values of a record. Those of filters are known where the statement runs. */
function inputValues(model: Model, input: unknown): SentValue[] {
  return typeof input === "object" && input !== null && "data" in input ? sentValues(model, input.data) : [];
}

/**
 * Runs a mutation. Hooks run inside its transaction, so an error in a hook rolls everything back. Without
 * hooks, a mutation with one statement needs no transaction.
 */
export function mutate<Result>(
  call: OperationContext,
  atomic: boolean,
  work: (work: MutationScope) => Promise<Result>,
): Promise<Result> {
  if (atomic) return mutateInTransaction(call, work);
  const { services, trace } = call;
  const { database, modules } = services;
  const scope = { connection: database, transaction: null, trace, errors: modules.errors, context: noHooks };
  const { ensureNotRevoked } = call;
  return ensureNotRevoked === null ? work(scope) : ensureNotRevoked().then(() => work(scope));
}

async function mutateInTransaction<Result>(
  call: OperationContext,
  work: (work: MutationScope) => Promise<Result>,
): Promise<Result> {
  try {
    return await transactionOf(call, (transaction) => work(mutationScope(call, transaction)));
  } catch (error) {
    throw databaseProblem(error, null, undefined, undefined, call.model);
  }
}

/**
 * Runs the writes of a caller in a transaction, after the caller's token was checked. `prepare` runs before
 * it begins.
 */
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
  throw new Error("a mutation with hooks needs a transaction");
}

/** Makes a mutation part of a transaction. */
export function mutationScope(call: OperationContext, transaction: Transaction): MutationScope {
  const context = (hook: string, calls: AppCalls) =>
    mutationContext(hookOriginOf(call.services, call, call.model.key, hook), transaction, calls);
  return { connection: transaction, transaction, ...answeringTo(call), context };
}

function answeringTo({ trace, services }: OperationContext): Pick<MutationScope, "trace" | "errors"> {
  return { trace, errors: services.modules.errors };
}

/**
 * Runs an after-hook on the data of a response. `shape` makes the response from the data. Errors: 500
 * `INTERNAL_ERROR` if the data changed between list and object or cannot be JSON.
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
  if (!isOfKind(data, given)) throw hookFault(hook, "data of another type");
  try {
    return { ...answer, data: jsonText(shape(given)) };
  } catch (error) {
    throw hookFault(hook, "a value that is not JSON", error);
  }
}

/** Rows must stay a list of objects, and an object must stay an object. */
function isOfKind(data: object, given: unknown): boolean {
  if (!Array.isArray(data)) return isRecord(given);
  return Array.isArray(given) && Array.from(given).every(isRecord);
}

/** Adds `rows()` to the context of a before-hook. `target` has the rows that the hook has selected. */
export function withRows(
  call: OperationContext,
  grant: Grant,
  work: MutationScope,
  matched: MatchedRows,
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
          calls.serialize(async () => matched.lock(call, grant, requireTransaction(work), target(), sees)),
      });
      return context;
    },
  };
}

/** Adds `after()`, the written rows, to the context of an after-hook. */
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

/** Adds `before`, the rows before the change, to the context of an after-hook. */
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

/** Runs the after-hook of a create or upsert. */
export function written<Data extends object>(
  call: OperationContext,
  hook: Hook<Data, WrittenContext<AnyTypes>> | undefined,
  work: MutationScope,
  { ids, rows }: Changed,
  answer: SuccessResponse,
): Awaitable<MutationResult> {
  const result = { ids, rows, written: answer.data, answer };
  return hook === undefined ? result : seenBy(hook, result, withAfter(call, work, ids));
}

/**
 * Runs the after-hook of an update, delete, destroy or restore, with the rows that the before-hook has read.
 */
export function changed<Data extends object>(
  call: OperationContext,
  hook: Hook<Data, ChangedContext<AnyTypes>> | undefined,
  work: MutationScope,
  { ids, rows }: Changed,
  answer: SuccessResponse,
  matched: MatchedRows | null,
): Awaitable<MutationResult> {
  const result = { ids, rows, written: answer.data, answer };
  if (hook === undefined) return result;
  const scope = withBefore(withAfter(call, work, ids), () => matched?.before);
  return seenBy(hook, result, scope);
}

async function seenBy<Data extends object, Context>(
  hook: Hook<Data, Context>,
  result: MutationResult,
  scope: HookScope<Context>,
): Promise<MutationResult> {
  return { ...result, answer: await afterHook(hook, result.answer, scope) };
}
