import type { HookContext, MutationContext } from "#runtime/hooks/index";
import { type StagedHooks, stage } from "../http/fixture/stage.ts";
import type { Reply } from "./request.ts";
import { record } from "./scenarios-hooked.ts";
import type { TestService } from "./service.ts";
import type { Caller } from "./service-token.ts";

/** What code did that a hook ran: what it returned or threw, and what the request was answered. */
export interface Outcome<Value> {
  readonly value: Value;
  readonly reply: Reply;
}

/** Runs code in a hook of a read, where it is in no transaction. */
export async function inRead<Value>(
  service: TestService,
  code: (context: HookContext) => Promise<Value>,
  as: Caller = "admin",
): Promise<Outcome<Value>> {
  const ran = remembering(code);
  const reply = await sendWith(service, { before_fetch: (_, context) => ran.run(context) }, as, {
    method: "GET",
    path: "/hooked/fetch",
  });
  return { value: ran.value(), reply };
}

/** Runs code in a hook of a mutation, inside its transaction. */
export async function inMutation<Value>(
  service: TestService,
  code: (context: MutationContext) => Promise<Value>,
  as: Caller = "admin",
): Promise<Outcome<Value>> {
  const ran = remembering(code);
  const reply = await sendWith(service, { before_create: (_, context) => ran.run(context) }, as, {
    method: "POST",
    path: "/hooked/create",
    body: { data: record },
  });
  return { value: ran.value(), reply };
}

/** Both places of code, for `describe.each`. */
export const hookKinds = [["in a read", inRead] as const, ["in a mutation", inMutation] as const];

/** Sends one request, in which these hooks run. */
export async function sendWith(
  service: TestService,
  hooks: StagedHooks,
  as: Caller,
  sent: Parameters<TestService["send"]>[0],
): Promise<Reply> {
  Object.assign(stage, { hooks, fired: [] });
  try {
    return await service.send(sent, as);
  } finally {
    Object.assign(stage, { hooks: {}, fired: [] });
  }
}

/** What the last run of the code came to: an operation may run it again. */
function remembering<Context, Value>(code: (context: Context) => Promise<Value>) {
  let last: { readonly value: Value } | { readonly error: unknown } | null = null;
  return {
    async run(context: Context): Promise<void> {
      try {
        last = { value: await code(context) };
      } catch (error) {
        last = { error };
        throw error;
      }
    },
    value(): Value {
      if (last === null) throw new Error("the hook did not run");
      if ("error" in last) throw last.error;
      return last.value;
    },
  };
}

/** Passes a value as any type, for calls that the compiler would refuse. */
export function unknown<Type>(value: unknown): Type {
  return Object.create(null, { value: { value } }).value;
}
