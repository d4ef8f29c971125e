import type { Awaitable } from "../../core/concurrency/index.ts";
import type { Answer } from "../../core/http/index.ts";
import type { ChangedContext, WrittenContext } from "../../hooks/context/index.ts";
import type { Hook, HookScope } from "../../hooks/index.ts";
import type { AnyTypes } from "../../models/index.ts";
import { afterHook } from "./after-hook.ts";
import { withAfter, withBefore } from "./hook-contexts.ts";
import type { Changed, MutationResult, MutationScope } from "./mutation.ts";
import type { OperationContext } from "./operation-context.ts";
import type { TouchedRows } from "./touched-rows.ts";

/** A create or upsert, once its after-hook has seen the data. */
export function written<Data extends object>(
  call: OperationContext,
  hook: Hook<Data, WrittenContext<AnyTypes>> | undefined,
  work: MutationScope,
  { ids, rows }: Changed,
  answer: Answer,
): Awaitable<MutationResult> {
  const result = { ids, rows, written: answer.data, answer };
  return hook === undefined ? result : seenBy(hook, result, withAfter(call, work, ids));
}

/** An update, delete, destroy or restore, once its after-hook has seen the data, and the rows that the before-hook asked for. */
export function changed<Data extends object>(
  call: OperationContext,
  hook: Hook<Data, ChangedContext<AnyTypes>> | undefined,
  work: MutationScope,
  { ids, rows }: Changed,
  answer: Answer,
  touched: TouchedRows | null,
): Awaitable<MutationResult> {
  const result = { ids, rows, written: answer.data, answer };
  if (hook === undefined) return result;
  const scope = withBefore(withAfter(call, work, ids), () => touched?.before);
  return seenBy(hook, result, scope);
}

async function seenBy<Data extends object, Context>(
  hook: Hook<Data, Context>,
  result: MutationResult,
  scope: HookScope<Context>,
): Promise<MutationResult> {
  return { ...result, answer: await afterHook(hook, result.answer, scope) };
}
