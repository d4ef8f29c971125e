import { isJsonObject } from "../../../vocabulary/json.ts";
import type { Transaction } from "../../core/database/index.ts";
import {
  type AppCalls,
  type AppCodeOrigin,
  extend,
  type MutationContext,
  mutationContext,
  noHooksRunning,
  withinHook,
} from "../../hooks/context/index.ts";
import { type Hook, runHook, type SocialContext, type SocialResult } from "../../hooks/index.ts";
import { guest, type Principal } from "../../models/access/index.ts";

/** The request that a hook of the accounts runs for. `identify` gets the user before each hook. */
export interface AuthHookOrigin extends Omit<AppCodeOrigin, "principal" | "chain"> {
  readonly identify: (user: Principal) => void;
}

/** Runs a hook of `models/hooks/auth.ts` in the operation's transaction. Returns the hook's result. */
export function authHook<Value>(
  origin: AuthHookOrigin,
  hook: Hook<Value, MutationContext> | undefined,
  value: Value,
  transaction: Transaction,
  principal: Principal = guest,
): Promise<Value> {
  return runAuthHook(origin, hook, value, transaction, principal, (context) => context);
}

/** Runs `after_social_callback`, whose context also has the device token. */
export function socialHook(
  origin: AuthHookOrigin,
  hook: Hook<SocialResult, SocialContext> | undefined,
  value: SocialResult,
  transaction: Transaction,
  { principal, device_token }: { readonly principal: Principal; readonly device_token: string | null },
): Promise<SocialResult> {
  return runAuthHook(origin, hook, value, transaction, principal, (context): SocialContext => {
    extend(context, { device_token });
    return context;
  });
}

function runAuthHook<Value, Context>(
  origin: AuthHookOrigin,
  hook: Hook<Value, Context> | undefined,
  value: Value,
  transaction: Transaction,
  principal: Principal,
  extended: (context: MutationContext) => Context,
): Promise<Value> {
  origin.identify(principal);
  const begun = { ...origin, principal, chain: noHooksRunning };
  const context = (name: string, calls: AppCalls) =>
    extended(mutationContext(withinHook(begun, `auth.${name}`), transaction.untraced ?? transaction, calls));
  return runHook(hook, value, { trace: origin.trace, errors: origin.modules.errors, context });
}

/** Throws if an after-hook returned no response. Its type prevents this, unless the hook uses a cast. */
export function requireAnswer<Answer>(
  answer: Answer,
  hook: "after_register" | "after_login" | "after_social_callback",
): Answer {
  const seen: unknown = answer;
  if (isJsonObject(seen) && typeof seen["message"] === "string" && isJsonObject(seen["data"])) return answer;
  throw new Error(`the hook ${hook} must return an object with "message" and "data"`);
}
