import type { Logger } from "pino";
import type { Principal } from "../access/index.ts";
import type { Transaction } from "../database/index.ts";
import type { HookContext, MutationContext } from "./model-hooks.ts";

/** For whom a hook runs. */
export interface HookCaller {
  readonly principal: Principal;
  readonly requestId: string;
}

/** What a hook is told beside its value. Its log lines name the request, and the model where there is one. */
export function hookContext({ principal, requestId }: HookCaller, log: Logger, model?: string): HookContext {
  const bindings = { request_id: requestId, ...(model !== undefined && { model }) };
  return { principal, request_id: requestId, log: log.child(bindings) };
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
