import type { JsonObject } from "../../../../vocabulary/json.ts";
import type { Transaction } from "../../../core/database/index.ts";
import {
  type Caller,
  databaseProblem,
  hasherOf,
  mutationScope,
  pageValues,
  readWithHooks,
  transactionOf,
} from "../../../data/operations/index.ts";
import { filtersShape, largestPage, pageShape, storedOnce } from "../../../data/sql/index.ts";
import { type OperationCounters, requirePassed, secondsToWait } from "../../../modules/rate-limit/index.ts";
import { type Operation, readVariables, type Variables } from "../document/index.ts";
import type { GraphqlContext } from "../plan/model-registry.ts";
import {
  type AggregateOrder,
  type AggregateRoot,
  type AuthorizedAggregate,
  authorizeAggregate,
  type RequestedAggregate,
} from "../plan/plan-aggregate.ts";
import { type AuthorizedList, authorizeList, type ListRoot, type PageRoot } from "../plan/plan-list.ts";
import { type AuthorizedMutation, authorizeMutation, type MutationRoot } from "../plan/plan-mutation.ts";
import type { Root, Roots } from "../plan/roots.ts";
import { RootFailure, runRootField } from "../response.ts";
import { aggregateStatement } from "../statements/aggregate-statement.ts";
import { listStatement } from "../statements/list-statement.ts";
import { StatementBuilder } from "../statements/object-sql.ts";
import { readPageRoot } from "./execute-page.ts";
import { listsShape, listValues, readList } from "./read-text.ts";
import { oneRow, type WrittenRows, writtenRows } from "./written-rows.ts";

/** By model key; empty if rate limits are off. */
export type RootCounters = ReadonlyMap<string, OperationCounters>;

/**
 * Counts each root field as a request for its operation, as REST does, before the first one runs. Errors: 429
 * `RATE_LIMIT_EXCEEDED` with the longest `Retry-After`, as `RootFailure` of that field.
 */
async function limitRoots(
  roots: readonly Root[],
  variables: Variables,
  { principal, address, trace }: Caller,
  counters: RootCounters,
): Promise<void> {
  const step = trace.begin("limit");
  const counted = roots.filter((root) => root.kind !== "typename");
  const taken = counted.map((root) => {
    const counter = counters.get(root.member.model.key)?.get(root.operation(variables));
    return counter?.take(principal, address) ?? null;
  });
  const quotas = await Promise.all(taken);
  trace.end(step);
  const longest = secondsToWait(...quotas);
  if (longest === 0) return;
  const last = counted[quotas.findIndex((quota) => secondsToWait(quota) === longest)];
  if (last !== undefined) runRootField(last.key, () => requirePassed(...quotas));
}

/** Prepares an aggregate: one statement, no hooks. */
function prepareAggregate(root: AggregateRoot, context: GraphqlContext): Task<void> {
  const authorized = authorizeAggregate(root, context);
  return { key: root.key, run: () => readAggregate(root, context, authorized) };
}

function readAggregate(
  root: AggregateRoot,
  { registry, mostBytes }: GraphqlContext,
  { call, grant, requested, searchIn }: AuthorizedAggregate,
): Promise<string> {
  const { input, groupBy, order } = requested;
  const roleKey = registry.roleKey(call.principal);
  const shape = `#${root.id} aggregate ${roleKey} ${searchIn.length} ${shapeOf(requested)}`;
  const rows = {
    model: call.model,
    models: registry.models,
    filters: input.filters,
    scope: grant.scope,
    searchIn,
  };
  const make = () =>
    aggregateStatement({ rows, page: input, results: root.selection.results, groupBy, order });
  return readList(call, shape, make, pageValues(input, searchIn), mostBytes, input);
}

/** Cache key: equal for the same SQL. */
function shapeOf({ input, groupBy, order }: RequestedAggregate): string {
  const groups = groupBy.map(({ name }) => name).join();
  return `${filtersShape(input.filters)} ${pageShape(input)} ${groups} ${order === null ? "" : orderShape(order)}`;
}

function orderShape({ by, descending }: AggregateOrder): string {
  const name = by.kind === "aggregate" ? by.aggregate.key : by.kind === "group" ? by.column.name : "";
  return `${by.kind} ${name} ${descending}`;
}

/** Prepares a list: one statement for its rows and everything that is joined. */
function prepareList(root: ListRoot, context: GraphqlContext): Task<void> {
  const authorized = authorizeList(root, context);
  return { key: root.key, run: () => readRoot(root, context, authorized) };
}

/** Prepares a page by cursor. */
function preparePage(root: PageRoot, context: GraphqlContext): Task<void> {
  const authorized = authorizeList(root, context);
  return { key: root.key, run: () => readPageRoot(root, context, authorized) };
}

function readRoot(root: ListRoot, context: GraphqlContext, authorized: AuthorizedList): Promise<string> {
  const { call, operation, input } = authorized;
  return readWithHooks(
    call,
    operation,
    input,
    (wanted, searchIn) =>
      readRows(root, context, { ...authorized, input: wanted }, searchIn).then((data) => ({ data })),
    (rows) => rows.map(root.hooked.toAnswer),
  ).then(({ data }) => data);
}

function readRows(
  root: ListRoot,
  context: GraphqlContext,
  { call, grant, operation, input, below }: AuthorizedList,
  searchIn: readonly string[],
): Promise<string> {
  const roleKey = context.registry.roleKey(call.principal);
  const hooked = call.entry.hooks[`after_${operation}`] !== undefined;
  const selection = hooked ? root.hooked.selection : root.selection;
  const lists = [input, ...below];
  const shape = `#${root.id} ${operation} ${roleKey} ${searchIn.length} ${listsShape(lists)}`;
  const make = () => listStatement(selection, grant.scope, searchIn, new StatementBuilder(context, lists));
  return readList(call, shape, make, listValues(lists, searchIn), context.mostBytes, {
    ...input,
    filters: lists.flatMap(({ filters }) => filters),
  });
}

/**
 * Runs the root fields of a mutation in order, in one transaction, which can run all of them again. Errors:
 * `RootFailure`, except for errors of the transaction itself.
 */
async function runMutation(
  tasks: readonly Task<Transaction>[],
  { services, caller: { ensureNotRevoked } }: Pick<GraphqlContext, "services" | "caller">,
): Promise<string[]> {
  const progress: { key: string | null } = { key: null };
  const each = async (act: (task: Task<Transaction>) => Promise<void> | undefined) => {
    for (const task of tasks) {
      progress.key = task.key;
      await act(task);
    }
    progress.key = null;
  };
  const work = async (transaction: Transaction) => {
    const values: string[] = [];
    await each(async ({ run }) => void values.push(await run(transaction)));
    return values;
  };
  try {
    return await transactionOf({ services, ensureNotRevoked }, work, () =>
      each(({ prepare }) => prepare?.()),
    );
  } catch (error) {
    // Errors of statements are already converted, so this error is about the transaction.
    const problem = databaseProblem(error, null);
    // Wrapped outside the transaction, which retries by the type of the error.
    throw progress.key === null ? problem : new RootFailure(progress.key, problem);
  }
}

/** Prepares a mutation: one statement writes, and another one reads the selection after the after-hook. */
function prepareMutation(root: MutationRoot, context: GraphqlContext): Task<Transaction> {
  const authorized = authorizeMutation(root, context);
  const rows = writtenRows(root, authorized, context);
  const prepare = () => hashPasswords(root, authorized);
  return { key: root.key, prepare, run: (transaction) => runRoot(root, authorized, rows, transaction) };
}

/**
 * Hashes passwords before the transaction starts, so that it does not hold a connection and locks while
 * hashing. Does nothing if a hook can still change the record.
 */
async function hashPasswords({ verb }: MutationRoot, { call, requested }: AuthorizedMutation): Promise<void> {
  const { data } = requested.mentions;
  // A restore makes another record, without `deleted_at`.
  const isFinal = verb !== "restore" && call.entry.hooks[`before_${verb}`] === undefined;
  if (data !== undefined && isFinal) await storedOnce(call.model, data, hasherOf(call));
}

async function runRoot(
  root: MutationRoot,
  { call, grant, requested }: AuthorizedMutation,
  rows: WrittenRows,
  transaction: Transaction,
): Promise<string> {
  try {
    const done = await requested.execute(call, grant, mutationScope(call, transaction), rows.text);
    const list = await rows.read(done, transaction);
    return root.verb === "create" || root.verb === "upsert" ? oneRow(root, done, list) : list;
  } catch (error) {
    throw databaseProblem(error, call.model);
  }
}

/** The maximum of connections that one request uses at the same time. */
const mostAtOnce = 4;

/**
 * Runs the root fields of a query, each as one statement without a transaction. If there are several errors,
 * the first one in the document is reported. Errors: `RootFailure`.
 */
async function runQuery(tasks: readonly Task<void>[]): Promise<string[]> {
  const [only] = tasks;
  if (only !== undefined && tasks.length === 1) return [await runTask(only)];
  const results: PromiseSettledResult<string>[] = [];
  const waiting = tasks.entries();
  let failed = false;
  const lane = async () => {
    for (const [index, task] of waiting) {
      // Fields after a failed one are not needed.
      if (failed) return;
      const [result] = await Promise.allSettled([runTask(task)]);
      results[index] = result;
      failed ||= result.status === "rejected";
    }
  };
  await Promise.all(Array.from({ length: mostAtOnce }, lane));
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

async function runTask({ key, run }: Task<void>): Promise<string> {
  try {
    return await run();
  } catch (error) {
    throw new RootFailure(key, error);
  }
}

/**
 * Runs an operation and returns its data as JSON text. All root fields are counted and prepared before the
 * first statement. Errors: `RootFailure` if the failed field is known.
 */
export async function execute(
  operation: Operation,
  sent: JsonObject,
  roots: Roots,
  who: Omit<GraphqlContext, "variables" | "mostBytes">,
  counters: RootCounters,
): Promise<string> {
  const { trace } = who.caller;
  const reading = trace.begin("plan");
  const variables = readVariables(operation.variables, sent);
  const fields = roots.of(operation, operation.collect(variables));
  if (counters.size > 0) {
    trace.end(reading);
    await limitRoots(fields, variables, who.caller, counters);
  }
  const planning = trace.resume("plan");
  const { services, registry, caller } = who;
  const mostBytes = Math.floor(largestPage / Math.max(fields.length, 1));
  const context = { services, registry, caller, variables, mostBytes };
  if (operation.kind === "mutation") {
    const tasks = fields.map((root) => runRootField(root.key, () => prepareWrite(root, context)));
    trace.end(planning);
    return objectText(tasks, await runMutation(tasks, context));
  }
  const tasks = fields.map((root) => runRootField(root.key, () => prepareRead(root, context)));
  trace.end(planning);
  return objectText(tasks, await runQuery(tasks));
}

function prepareRead(root: Root, context: GraphqlContext): Task<void> {
  if (root.kind === "list") return prepareList(root, context);
  if (root.kind === "page") return preparePage(root, context);
  return root.kind === "aggregate" ? prepareAggregate(root, context) : constant(root);
}

function prepareWrite(root: Root, context: GraphqlContext): Task<Transaction> {
  return root.kind === "mutation" ? prepareMutation(root, context) : constant(root);
}

/** `__typename` is the only other root field. */
function constant(root: Root): Task<unknown> {
  if (root.kind !== "typename") throw new Error(`${root.kind} is not a root field of this operation`);
  return { key: root.key, run: async () => JSON.stringify(root.name) };
}

function objectText(tasks: readonly Pick<Task<unknown>, "key">[], values: readonly string[]): string {
  const entries = tasks.map(({ key }, index) => `${JSON.stringify(key)}:${values[index] ?? "null"}`);
  return `{${entries.join(",")}}`;
}

/** A root field that passed all checks without a statement. */
interface Task<Where> {
  /** Response key. */
  readonly key: string;
  /** Slow work before the first statement. */
  readonly prepare?: () => Promise<void>;
  /** Returns the value as JSON text. */
  readonly run: (where: Where) => Promise<string>;
}
