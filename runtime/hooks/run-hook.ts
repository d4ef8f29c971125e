import { classifyDatabaseError } from "../database/index.ts";
import { noAnswer, ServiceError } from "../errors/index.ts";
import type { Trace } from "../tracing/index.ts";
import type { Hook } from "./model-hooks.ts";

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

/** What a hook is run in. */
export interface HookScope<Context> {
  readonly trace: Trace;
  /** Makes what the hook of that name is told beside its value, where there is one. */
  readonly context: (hook: string) => Context;
}

/**
 * Gives a value to a hook; one that returns nothing leaves it as it is, changed in place or not. A throw that is no
 * `ServiceError` is 500 `INTERNAL_ERROR`, also where it comes from the database, unless that was silent: then it is 503
 * `HTTP_ERROR` as everywhere (decisions, part 1).
 */
export async function runHook<Value, Context>(
  hook: Hook<Value, Context> | undefined,
  value: Value,
  { trace, context }: HookScope<Context>,
): Promise<Value> {
  if (hook === undefined) return value;
  const step = trace.begin(`hook:${hook.name}`);
  try {
    const result = await hook(value, context(hook.name));
    return result === undefined ? value : result;
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    if (classifyDatabaseError(error)?.kind === "no_answer") throw noAnswer(error);
    throw new ServiceError("INTERNAL_ERROR", undefined, undefined, { cause: error });
  } finally {
    trace.end(step);
  }
}
