import type { ChangedContext, WrittenContext } from "../context/index.ts";
import type { Hook } from "../hooks/index.ts";
import type { Answer } from "../http/index.ts";
import type { AnyTypes } from "../model/index.ts";
import { afterHook } from "./after-hook.ts";
import { withAfter, withBefore } from "./hook-contexts.ts";
import type { Changed, MutationResult, MutationScope } from "./mutation.ts";
import type { OperationContext } from "./operation-context.ts";
import type { TouchedRows } from "./touched-rows.ts";

/** A create or upsert, once its after-hook has seen the data. */
export async function written<Data extends object>(
  call: OperationContext,
  hook: Hook<Data, WrittenContext<AnyTypes>> | undefined,
  work: MutationScope,
  { ids, rows }: Changed,
  answer: Answer,
): Promise<MutationResult> {
  const result = { ids, rows, written: answer.data };
  if (hook === undefined) return { ...result, answer };
  return { ...result, answer: await afterHook(hook, answer, withAfter(call, work, ids)) };
}

/** An update, delete, destroy or restore, once its after-hook has seen the data, and the rows that the before-hook asked for. */
export async function changed<Data extends object>(
  call: OperationContext,
  hook: Hook<Data, ChangedContext<AnyTypes>> | undefined,
  work: MutationScope,
  { ids, rows }: Changed,
  answer: Answer,
  touched: TouchedRows | null,
): Promise<MutationResult> {
  const result = { ids, rows, written: answer.data };
  if (hook === undefined) return { ...result, answer };
  const scope = withBefore(withAfter(call, work, ids), () => touched?.before);
  return { ...result, answer: await afterHook(hook, answer, scope) };
}
