import type { Logger } from "pino";
import type { Principal } from "../access/index.ts";
import { classifyDatabaseError, type Transaction } from "../database/index.ts";
import { noAnswer, ServiceError } from "../errors/index.ts";
import type { Hook, HookContext, MutationContext } from "./model-hooks.ts";
import type { StorageForHooks } from "./storage-context.ts";

/** 500 `INTERNAL_ERROR` for what a hook gave back and may not; the reason is for the log alone (decisions, part 5). */
export function hookFault(
  { name }: { readonly name: string },
  reason: string,
  cause?: unknown,
): ServiceError {
  const called = name === "" ? "a hook" : `the hook ${name}`;
  return new ServiceError("INTERNAL_ERROR", undefined, undefined, {
    cause: new Error(`${called} gave back ${reason}`, { cause }),
  });
}

/**
 * Gives a value to a hook; one that returns nothing leaves it as it is, changed in place or not. A throw that is no
 * `ServiceError` is 500 `INTERNAL_ERROR`, also where it comes from the database, unless that was silent: then it is 503
 * `HTTP_ERROR` as everywhere (decisions, part 1).
 */
export async function runHook<Value, Context>(
  hook: Hook<Value, Context> | undefined,
  value: Value,
  context: () => Context,
): Promise<Value> {
  if (hook === undefined) return value;
  try {
    const result = await hook(value, context());
    return result === undefined ? value : result;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (classifyDatabaseError(error)?.kind === "no_answer") throw noAnswer(error);
    throw new ServiceError("INTERNAL_ERROR", undefined, undefined, { cause: error });
  }
}

/** What hooks run for: who sent which request, and what of the service is at their hand. */
export interface HookOrigin {
  readonly principal: Principal;
  readonly requestId: string;
  readonly log: Logger;
  readonly storage: StorageForHooks;
}

/** What a hook is told beside its value. */
export function hookContext({ principal, requestId, log, storage }: HookOrigin): HookContext {
  return { principal, request_id: requestId, log, storage: storage(null) };
}

/** What a hook inside a transaction is told: also the transaction, whose knex is made when a hook asks for it. */
export function mutationContext(origin: HookOrigin, transaction: Transaction): MutationContext {
  return {
    ...hookContext(origin),
    storage: origin.storage(transaction),
    get transaction() {
      return transaction.knex;
    },
  };
}
