import type { Logger } from "pino";
import type { Operation } from "../../../vocabulary/operations.ts";
import { asStep, type DeferredTasks, type Trace } from "../../core/concurrency/index.ts";
import type { Database, Queryable, TextRow, Transaction } from "../../core/database/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import type { Answer } from "../../core/http/index.ts";
import { type AppCodeOrigin, type AppModules, noneUnderWay, withinHook } from "../../hooks/context/index.ts";
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
import { databaseProblem, type Sought } from "./database-problem.ts";

/** The database as operations see it: all of it, or one transaction of it. */
export type OperationDatabase = Pick<Database, "run" | "readsOf" | "transaction">;

/** What operations need of the service around them. */
export interface CrudServices {
  readonly database: OperationDatabase;
  /** Where all of it is part of a transaction. Default none: each operation has its own. */
  readonly transaction?: Transaction;
  readonly models: Models;
  readonly plans: PlanCache;
  readonly log: Logger;
  /** Most records or ids of one request. */
  readonly bulkLimit: number;
  /** Hashes the value of a password field, in someone's share (`shareOf`); slow on purpose. */
  readonly hashPassword: (password: string, share: string) => Promise<string>;
  readonly modules: AppModules;
}

/** All that the generator made of one model. */
export interface ModelEntry {
  readonly model: Model;
  readonly policy: Policy;
  readonly validators: Validators;
  readonly hooks: AnyHooks;
}

/** Who has an operation run, and from where. */
export interface Caller extends Identified {
  readonly principal: Principal;
  /** Names the request in logs, and to hooks. */
  readonly requestId: string;
  /** The address of a request's client. */
  readonly address: string;
  /** Times what is done; `noTrace` where nobody wants to know. */
  readonly trace: Trace;
  /** The hooks under way where one of them calls, the outermost first. */
  readonly chain?: readonly string[];
  /** What code of one's own asks for once the answer has gone. */
  readonly later: DeferredTasks;
}

/** One call of an operation: who asks, of which model, and what the caller sees of it. */
export interface OperationContext extends Caller {
  readonly services: CrudServices;
  readonly entry: ModelEntry;
  readonly model: Model;
  readonly view: RoleView;
}

/** An operation on a model, below any front. */
export interface CrudOperation<Op extends Operation, Input> {
  readonly operation: Op;
  readonly run: (call: OperationContext, grant: Grant, input: Input) => Promise<Answer>;
}

/** The call of an operation on a model. */
export function operationContext(
  services: CrudServices,
  entry: ModelEntry,
  { principal, ensureNotRevoked, requestId, address, trace, chain = noneUnderWay, later }: Caller,
): OperationContext {
  const { model, policy } = entry;
  const view = viewOf(model, policy, principal);
  const caller = { principal, ensureNotRevoked, requestId, address, trace, chain, later };
  return { services, entry, model, view, ...caller };
}

/**
 * Where the reads of a caller run: a user's share the connections that they may hold, and so do those from an address. The look-up of
 * the caller's token is sent with the first of them, in the same round trip.
 */
export function readsOf({ services, principal, address, ensureNotRevoked }: OperationContext): Queryable {
  void ensureNotRevoked?.();
  return services.database.readsOf(shareOf(principal, address));
}

/** Hashes passwords of a call, in the share of its caller. Errors: 503 `HTTP_ERROR`. */
export function hasherOf(call: OperationContext): (password: string) => Promise<string> {
  const { services, trace } = call;
  const share = shareOf(call.principal, call.address);
  return (password) => asStep(trace, "password", () => services.hashPassword(password, share));
}

/**
 * The plan of a statement. Its text holds the scope, which is that of model, operation and role; `shape` tells apart all
 * else that the text depends on.
 */
export function planOf(
  { services, model, view }: OperationContext,
  { operation }: Grant,
  shape: string,
  make: () => Plan,
): Plan {
  return services.plans.of(`${model.key} ${operation} ${view.id} ${shape}`, make);
}

/**
 * Runs a planned statement with the values of the request, the claims of the caller and the rows that were locked before it. `sought` names
 * the parameter of a pattern that a column cannot take.
 */
export function runPlan(
  call: OperationContext,
  connection: Queryable,
  plan: Plan,
  values: readonly BindValue[],
  anchors: string | null = null,
  sought?: Sought,
): Promise<TextRow[]> {
  const { trace } = call;
  const step = trace.begin("sql");
  const bound = plan.bind(values, call.principal, anchors);
  return connection.run(plan.statement, bound).then(
    (rows) => {
      trace.end(step);
      return rows;
    },
    (error: unknown) => {
      trace.end(step);
      throw databaseProblem(error, call.model, call.services.models, sought);
    },
  );
}

/** What a hook runs for. Its log lines name the request and the model. */
export function hookOriginOf(
  services: Pick<CrudServices, "log" | "modules">,
  caller: Caller,
  model: string,
  hook: string,
): AppCodeOrigin {
  const { principal, requestId, trace, address, chain = noneUnderWay, later } = caller;
  const log = hookLog(services, caller, model);
  const origin = { principal, requestId, log, modules: services.modules, trace, address, chain, later };
  return withinHook(origin, `${model}.${hook}`);
}

/** The log of a model's hooks. */
export function hookLog(
  { log }: Pick<CrudServices, "log">,
  { requestId }: Caller,
  model: string,
): AppCodeOrigin["log"] {
  return log.child({ request_id: requestId, model });
}

/** Lets callers into one operation. */
export interface Guard<Op extends Operation> {
  readonly operation: Op;
  /** The rows in reach, or 403 `PERMISSION_DENIED`, which names what was asked for where the URL does not. */
  readonly authorize: (caller: Subject, asked?: string) => Grant;
}

const rememberedRoles = 100;

/** The guard of an operation, made from the operation's own rules. */
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

/** A caller whose access token may have been revoked. */
export interface Identified {
  /**
   * Looks up whether the caller's token is revoked; all calls share one look-up. Null where nothing has to be looked up. What has effects
   * waits for it: a write, a hook, a counter. Reads travel with it: see `readsOf`. Errors: 401 `TOKEN_REVOKED`, 503 `AUTH_UNAVAILABLE`.
   */
  readonly ensureNotRevoked: (() => Promise<void>) | null;
}
