import type { DeclaredErrors } from "../../vocabulary/error-codes.ts";
import type { Trace } from "../core/concurrency/index.ts";
import { ServiceError } from "../core/errors/index.ts";
import { type CodeCalls, thrownByCode, withCalls } from "./context/index.ts";
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
  /** The app's own, which hooks may throw. */
  readonly errors: DeclaredErrors;
  /** Makes what the hook of that name is told beside its value, where there is one, with the calls that it makes. */
  readonly context: (hook: string, calls: CodeCalls) => Context;
}

/**
 * Gives a value to a hook; one that returns nothing leaves it as it is, changed in place or not. What it throws becomes a
 * `ServiceError`.
 */
export async function runHook<Value, Context>(
  hook: Hook<Value, Context> | undefined,
  value: Value,
  { trace, errors, context }: HookScope<Context>,
): Promise<Value> {
  if (hook === undefined) return value;
  const step = trace.begin(`hook:${hook.name}`);
  try {
    const result = await withCalls(`the hook ${hook.name}`, (calls) =>
      hook(value, context(hook.name, calls)),
    );
    return result === undefined ? value : result;
  } catch (error) {
    throw thrownByCode(error, errors);
  } finally {
    trace.end(step);
  }
}
