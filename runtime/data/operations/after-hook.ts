import { isRecord, jsonText } from "../../../vocabulary/json.ts";
import { parseStored } from "../../core/text/index.ts";
import { type Hook, type HookScope, hookFault, runHook } from "../../hooks/index.ts";

/**
 * An answer once an after-hook has seen its data. `shape` makes the answer of the data. Errors: 500 `INTERNAL_ERROR` for
 * data of another kind than the hook was given, and for what has no JSON (decisions, part 5).
 */
export async function afterHook<Answer extends { readonly data: string }, Data extends object, Context>(
  hook: Hook<Data, Context> | undefined,
  answer: Answer,
  scope: HookScope<Context>,
  shape: (data: Data) => unknown = (given) => given,
): Promise<Answer> {
  if (hook === undefined) return answer;
  const data: Data = parseStored(answer.data);
  const given = await runHook(hook, data, scope);
  if (!isOfKind(data, given)) throw hookFault(hook, "data of another kind than it was given");
  try {
    return { ...answer, data: jsonText(shape(given)) };
  } catch (error) {
    throw hookFault(hook, "what has no JSON", error);
  }
}

/** Rows stay a list of objects, and an object stays one. */
function isOfKind(data: object, given: unknown): boolean {
  if (!Array.isArray(data)) return isRecord(given);
  return Array.isArray(given) && Array.from(given).every(isRecord);
}
