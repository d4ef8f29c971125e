import { guest, type Principal } from "../access/index.ts";
import type { Transaction } from "../database/index.ts";
import { type Hook, type MutationContext, runHook } from "../model/index.ts";
import type { AuthCall } from "./route.ts";

/** Gives a value to a hook of `models/hooks/auth.ts`, with the transaction of the operation (contract: "Events"). */
export function authHook<Value>(
  { requestId, log }: AuthCall<unknown>,
  hook: Hook<Value, MutationContext> | undefined,
  value: Value,
  transaction: Transaction,
  principal: Principal = guest,
): Promise<Value> {
  return runHook(hook, value, () => ({
    principal,
    request_id: requestId,
    log,
    get transaction() {
      return transaction.knex;
    },
  }));
}
