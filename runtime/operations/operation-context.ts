import type { Logger } from "pino";
import type { Grant, Principal, RoleView } from "../access/index.ts";
import type { Database, Queryable, TextRow, Transaction } from "../database/index.ts";
import type { HookContext, MutationContext } from "../hooks/index.ts";
import type { Model } from "../model/index.ts";
import type { Models } from "../sql/condition-sql.ts";
import type { PlanCache } from "../sql/index.ts";
import type { BindValue } from "../sql/kinds.ts";
import type { Plan } from "../sql/sql.ts";
import { databaseProblem } from "./database-problem.ts";
import type { ModelEntry } from "./entry.ts";

/** What operations need of the service around them. */
export interface CrudServices {
  readonly database: Database;
  readonly models: Models;
  readonly plans: PlanCache;
  readonly log: Logger;
  /** Most records or ids of one request. */
  readonly bulkLimit: number;
  /** Hashes the value of a password field; slow on purpose. */
  readonly hashPassword: (password: string) => Promise<string>;
}

/** One call of an operation: who asks, of which model, and what the role sees of it. */
export interface OperationContext {
  readonly services: CrudServices;
  readonly entry: ModelEntry;
  readonly model: Model;
  readonly principal: Principal;
  readonly view: RoleView;
  readonly requestId: string;
  /** Where it reads, unless it writes too. */
  readonly reads: () => Queryable;
}

/** Where the reads of a caller run: a user's share the connections that they may hold, and so do those from an address. */
export function readsOf(
  { database }: CrudServices,
  { user_id }: Principal,
  address: () => string,
): Queryable {
  return database.readsOf(user_id === null ? `address ${address()}` : `user ${user_id}`);
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

/** Runs a planned statement with the values of the request and the claims of the caller. */
export function runPlan(
  call: OperationContext,
  connection: Queryable,
  plan: Plan,
  values: readonly BindValue[],
): Promise<TextRow[]> {
  return connection.run(plan.statement, plan.bind(values, call.principal)).catch((error: unknown) => {
    throw databaseProblem(error, call.model);
  });
}

/** What a hook is told beside its value. */
export function hookContext(call: OperationContext): HookContext {
  return {
    principal: call.principal,
    request_id: call.requestId,
    log: call.services.log.child({ request_id: call.requestId, model: call.model.key }),
  };
}

/** What a hook of a mutation is told: also the transaction, whose knex is made when a hook asks for it. */
export function mutationContext(call: OperationContext, transaction: Transaction): MutationContext {
  return {
    ...hookContext(call),
    get transaction() {
      return transaction.knex;
    },
  };
}
