import type { Logger } from "pino";
import type { Principal } from "../access/index.ts";
import type { Transaction } from "../database/index.ts";
import type { HookContext, MutationContext } from "./model-hooks.ts";

/** What a hook is told beside its value. */
export function hookContext(principal: Principal, requestId: string, log: Logger): HookContext {
  return { principal, request_id: requestId, log };
}

/** What a hook inside a transaction is told: also the transaction, whose knex is made when a hook asks for it. */
export function mutationContext(context: HookContext, transaction: Transaction): MutationContext {
  return {
    ...context,
    get transaction() {
      return transaction.knex;
    },
  };
}
