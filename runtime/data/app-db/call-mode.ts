import type { Operation } from "../../../vocabulary/operations.ts";
import { weakMemo } from "../../core/concurrency/index.ts";
import type { Transaction } from "../../core/database/index.ts";
import { type Problem, refuseProblems } from "../../core/errors/index.ts";
import type { CallScope } from "../../hooks/context/index.ts";
import {
  appView,
  type FieldMentions,
  type Grant,
  grantFor,
  requireFields,
} from "../../models/access/index.ts";
import {
  type Caller,
  type CrudServices,
  type Guard,
  guard,
  type ModelEntry,
  type OperationContext,
  type OperationDatabase,
  operationContext,
} from "../operations/index.ts";

/** Operations on one transaction: the caller rolls back, and nothing is retried. */
function boundDatabase(transaction: Transaction): OperationDatabase {
  return {
    run: (...given) => transaction.run(...given),
    readsOf: () => transaction,
    transaction: (work) => work(transaction),
  };
}

export interface AppDatabaseSource {
  readonly services: CrudServices;
  /** Including internal models and `users`. */
  readonly entries: readonly ModelEntry[];
}

const guardsOf = weakMemo((_entry: ModelEntry) => new Map<Operation, Pick<Guard<Operation>, "authorize">>());

/** Kept, because a guard caches grants by role. */
function callerGuard(entry: ModelEntry, operation: Operation): Pick<Guard<Operation>, "authorize"> {
  const guards = guardsOf(entry);
  const made = guards.get(operation) ?? guard(entry.policy[operation]);
  guards.set(operation, made);
  return made;
}

/** The permissions of app code's calls: the caller's, or all. */
export interface CallMode {
  readonly scope: CallScope;
  /** Errors: 403 `PERMISSION_DENIED` if the caller may not run the operation. */
  readonly begin: (entry: ModelEntry, operation: Operation) => { call: OperationContext; grant: Grant };
}

/** Without access rules and gates; only passwords are hidden. */
export function asApp(app: AppDatabaseSource, scope: CallScope): CallMode {
  const services = servicesIn(app, scope);
  const caller = callerOf(scope);
  return {
    scope,
    begin(entry, operation) {
      const { model } = entry;
      const call = { services, entry, model, view: appView(model), ...caller };
      return { call, grant: { operation, scope: everything, insert: everything } };
    },
  };
}

const everything = { kind: "all" } as const;

/** With the caller's access rules and gates. */
export function asCaller(app: AppDatabaseSource, scope: CallScope): CallMode {
  const services = servicesIn(app, scope);
  const caller = callerOf(scope);
  return {
    scope,
    begin(entry, operation) {
      const grant = callerGuard(entry, operation).authorize(caller.principal);
      return { call: operationContext(services, entry, caller), grant };
    },
  };
}

function servicesIn({ services }: AppDatabaseSource, { transaction }: CallScope): CrudServices {
  if (transaction === null) return services;
  return { ...services, database: boundDatabase(transaction), transaction };
}

function callerOf({ origin }: CallScope): Caller {
  const { principal, requestId, address = "", trace, chain, later } = origin;
  return { principal, ensureNotRevoked: null, requestId, address, trace, chain, later };
}

/** Runs one call of app code. Inside a transaction, calls run in order, each in a savepoint. */
export function runCall<Result>(
  { transaction, calls }: CallScope,
  call: () => Promise<Result>,
): Promise<Result> {
  return transaction === null ? calls.now(call) : calls.serialize(() => transaction.savepoint(call));
}

/** Like `runCall`, for a call that can write. */
export function runWrite<Result>(scope: CallScope, call: () => Promise<Result>): Promise<Result> {
  return runCall(scope, () => {
    scope.transaction?.currentSavepoint.noteSideEffect();
    return call();
  });
}

interface AuthorizedCall<Input> {
  readonly call: OperationContext;
  readonly grant: Grant;
  readonly input: Input;
}

/** Checks access to the operation, then to the fields, then the values, as REST does. */
export function beginCall<Input extends FieldMentions>(
  mode: CallMode,
  entry: ModelEntry,
  operation: Operation,
  read: (call: OperationContext, problems: Problem[]) => Input,
): AuthorizedCall<Input> {
  const { call, grant: granted } = mode.begin(entry, operation);
  const problems: Problem[] = [];
  const input = read(call, problems);
  requireFields(call.view, input);
  const grant = grantFor(granted, input.data);
  refuseProblems(problems);
  return { call, grant, input };
}
