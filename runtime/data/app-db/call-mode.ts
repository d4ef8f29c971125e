import type { Operation } from "../../../vocabulary/operations.ts";
import { weakMemo } from "../../core/concurrency/index.ts";
import type { Transaction } from "../../core/database/index.ts";
import { type Problem, refuseProblems } from "../../core/errors/index.ts";
import type { CallScope } from "../../hooks/context/index.ts";
import { appView, type FieldMentions, type Grant, requireFields } from "../../models/access/index.ts";
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

/** The database of operations that are part of a transaction. Whoever has them run undoes what fails, and tries nothing again. */
function boundDatabase(transaction: Transaction): OperationDatabase {
  return {
    run: (...given) => transaction.run(...given),
    readsOf: () => transaction,
    transaction: (work) => work(transaction),
  };
}

/** What the database of code of one's own stands on. */
export interface AppDatabaseSource {
  readonly services: CrudServices;
  /** All models, internal ones and `users` too. */
  readonly entries: readonly ModelEntry[];
}

const guardsOf = weakMemo((_entry: ModelEntry) => new Map<Operation, Pick<Guard<Operation>, "authorize">>());

/** The guard of an operation for callers. It is kept, since it remembers roles. */
function callerGuard(entry: ModelEntry, operation: Operation): Pick<Guard<Operation>, "authorize"> {
  const guards = guardsOf(entry);
  const made = guards.get(operation) ?? guard(entry.policy[operation]);
  guards.set(operation, made);
  return made;
}

/** By whose rights calls of code run: by those of the caller, or by all. */
export interface CallMode {
  readonly scope: CallScope;
  /** Errors: 403 `PERMISSION_DENIED` where the caller may not run the operation. */
  readonly begin: (entry: ModelEntry, operation: Operation) => { call: OperationContext; grant: Grant };
}

/** No rule of access holds, and no gate but that of passwords. */
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

/** The caller's rules and gates hold. */
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

/** Runs one call of code: inside a transaction in turn, and undone alone where it fails; outside any by itself. */
export function runCall<Result>(
  { transaction, calls }: CallScope,
  call: () => Promise<Result>,
): Promise<Result> {
  return transaction === null ? calls.now(call) : calls.serialize(() => transaction.savepoint(call));
}

/** The same for one that may write. */
export function runWrite<Result>(scope: CallScope, call: () => Promise<Result>): Promise<Result> {
  return runCall(scope, () => {
    scope.transaction?.currentSavepoint.noteSideEffect();
    return call();
  });
}

/** A call of an operation whose input was read and may be asked for. */
interface Begun<Input> {
  readonly call: OperationContext;
  readonly grant: Grant;
  readonly input: Input;
}

/** Access to the operation, then to the fields, then their values, as over REST. */
export function beginCall<Input extends FieldMentions>(
  standing: CallMode,
  entry: ModelEntry,
  operation: Operation,
  read: (call: OperationContext, problems: Problem[]) => Input,
): Begun<Input> {
  const { call, grant } = standing.begin(entry, operation);
  const problems: Problem[] = [];
  const input = read(call, problems);
  requireFields(call.view, input);
  refuseProblems(problems);
  return { call, grant, input };
}
