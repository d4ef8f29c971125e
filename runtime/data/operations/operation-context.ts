import type { Logger } from "pino";
import type { Operation } from "../../../vocabulary/operations.ts";
import { asStep, type DeferredTasks, type Trace } from "../../core/concurrency/index.ts";
import type { SecretKeys } from "../../core/config/index.ts";
import type { Database, Queryable, TextRow, Transaction } from "../../core/database/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import type { SuccessResponse } from "../../core/http/index.ts";
import {
  type AppCodeOrigin,
  type AppModules,
  noHooksRunning,
  withinHook,
} from "../../hooks/context/index.ts";
import type { AnyHooks } from "../../hooks/index.ts";
import {
  type Grant,
  grantOf,
  isSignedIn,
  type OperationPolicy,
  type Policy,
  type Principal,
  type RoleView,
  type Subject,
  shareOf,
  viewOf,
} from "../../models/access/index.ts";
import type { Model, Validators } from "../../models/index.ts";
import type { BindValue, Models, Plan, PlanCache } from "../sql/index.ts";
import { databaseProblem, type Sought, withInvalidField } from "./database-problem.ts";

/** The database, or one transaction of it. */
export type OperationDatabase = Pick<Database, "run" | "readsOf" | "transaction">;

/** The services that operations use. */
export interface CrudServices {
  readonly database: OperationDatabase;
  /** The transaction that contains all operations. Default: each operation has its own. */
  readonly transaction?: Transaction;
  readonly models: Models;
  readonly plans: PlanCache;
  readonly log: Logger;
  /** Signs the cursors of pages. */
  readonly cursorKeys: SecretKeys<Buffer>;
  /** Most records or ids in one request. */
  readonly bulkLimit: number;
  /** Hashes a password in the queue of a caller (`shareOf`); slow on purpose. */
  readonly hashPassword: (password: string, share: string) => Promise<string>;
  readonly modules: AppModules;
}

/** The generated parts of one model. */
export interface ModelEntry {
  readonly model: Model;
  readonly policy: Policy;
  readonly validators: Validators;
  readonly hooks: AnyHooks;
}

/** The caller of an operation. */
export interface Caller extends Identified {
  readonly principal: Principal;
  /** Identifies the request in logs and hooks. */
  readonly requestId: string;
  readonly address: string;
  readonly trace: Trace;
  /** If a hook calls the operation: the running hooks, the outermost first. */
  readonly chain?: readonly string[];
  /** Runs deferred work of app code after the response. */
  readonly later: DeferredTasks;
}

/** One call of an operation. */
export interface OperationContext extends Caller {
  readonly services: CrudServices;
  readonly entry: ModelEntry;
  readonly model: Model;
  readonly view: RoleView;
}

/** An operation on a model, independent of REST and GraphQL. */
export interface CrudOperation<Op extends Operation, Input> {
  readonly operation: Op;
  readonly run: (call: OperationContext, grant: Grant, input: Input) => Promise<SuccessResponse>;
}

/** Makes the context of a call. */
export function operationContext(
  services: CrudServices,
  entry: ModelEntry,
  { principal, ensureNotRevoked, requestId, address, trace, chain = noHooksRunning, later }: Caller,
): OperationContext {
  const { model, policy } = entry;
  const view = viewOf(model, policy, principal);
  const caller = { principal, ensureNotRevoked, requestId, address, trace, chain, later };
  return { services, entry, model, view, ...caller };
}

/**
 * Runs the reads of a caller. Those of one user, or of one address, share a limited number of connections.
 * The check of the caller's token is sent with the first read, in the same round trip.
 */
export function readsOf({ services, principal, address, ensureNotRevoked }: OperationContext): Queryable {
  void ensureNotRevoked?.();
  return services.database.readsOf(shareOf(principal, address));
}

/** Makes the hash function of a call. Errors: 503 `HTTP_ERROR`. */
export function hasherOf(call: OperationContext): (password: string) => Promise<string> {
  const { services, trace } = call;
  const share = shareOf(call.principal, call.address);
  return (password) => asStep(trace, "password", () => services.hashPassword(password, share));
}

/** The cached plan of a statement. Its text depends on model, operation, role, rules, and on `shape`. */
export function planOf(
  { services, model, view }: OperationContext,
  { operation, rules = "" }: Grant,
  shape: string,
  make: () => Plan,
): Plan {
  return services.plans.of(`${model.key} ${operation}${rules} ${view.id} ${shape}`, make);
}

/**
 * Runs a plan with the values of the request, the claims of the caller and the locked parent rows. `sought`:
 * the filters, for errors about unsupported patterns.
 */
export function runPlan(
  call: OperationContext,
  connection: Queryable,
  plan: Plan,
  values: readonly BindValue[],
  parents: string | null = null,
  sought?: Sought,
): Promise<TextRow[]> {
  const { trace } = call;
  const step = trace.begin("sql", plan.statement.text);
  const bound = plan.bind(values, call.principal, parents);
  return connection.run(plan.statement, bound).then(
    (rows) => {
      trace.end(step);
      return rows;
    },
    (error: unknown) => {
      trace.end(step, error);
      const problem = databaseProblem(error, call.model, call.services.models, sought);
      const filters = sought?.filters ?? [];
      throw withInvalidField(
        problem,
        filters.map(({ label, column, value }) => [label, column, value]),
      );
    },
  );
}

/** The origin of a hook. Its log lines have the request id and the model. */
export function hookOriginOf(
  services: Pick<CrudServices, "log" | "modules">,
  caller: Caller,
  model: string,
  hook: string,
): AppCodeOrigin {
  const { principal, requestId, trace, address, chain = noHooksRunning, later } = caller;
  const log = hookLog(services, caller, model);
  const origin = { principal, requestId, log, modules: services.modules, trace, address, chain, later };
  return withinHook(origin, `${model}.${hook}`);
}

/** The log for hooks of a model. */
export function hookLog(
  { log }: Pick<CrudServices, "log">,
  { requestId, trace }: Caller,
  model: string,
): AppCodeOrigin["log"] {
  return log.child({ request_id: requestId, ...trace.logFields, model });
}

/** Checks whether callers may run an operation. */
export interface Guard<Op extends Operation> {
  readonly operation: Op;
  /**
   * Returns the granted rows. Errors: 403 `PERMISSION_DENIED`. The message has `asked` if the URL does not
   * name the operation.
   */
  readonly authorize: (caller: Subject, asked?: string) => Grant;
}

const rememberedRoles = 100;

/** Makes the guard of an operation. It caches a grant per role. */
export function guard<Op extends Operation>(policy: OperationPolicy<Op>): Guard<Op> {
  const grants = new Map<string, Grant>();
  let guests: Grant | undefined;
  return {
    operation: policy.operation,
    authorize(caller, asked) {
      const isGuest = !isSignedIn(caller);
      const known = isGuest ? guests : grants.get(caller.role);
      if (known !== undefined) return known;
      const grant = grantOf(policy, caller);
      if (grant === null) throw refusal(asked);
      if (isGuest) guests = grant;
      else if (grants.size < rememberedRoles) grants.set(caller.role, grant);
      return grant;
    },
  };
}

function refusal(asked: string | undefined): ServiceError {
  if (asked === undefined) return new ServiceError("PERMISSION_DENIED");
  return new ServiceError("PERMISSION_DENIED", `Your role may not ask for ${asked}.`, { field: asked });
}

/** A caller whose access token can be revoked. */
export interface Identified {
  /**
   * Checks whether the caller's token is revoked; all calls share one query. Null: no check is needed.
   * Writes, hooks and counters wait for it; reads run at the same time (see `readsOf`). Errors: 401
   * `TOKEN_REVOKED`, 503 `AUTH_UNAVAILABLE`.
   */
  readonly ensureNotRevoked: (() => Promise<void>) | null;
}
