import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import { proveFactor, removeFactor } from "../../mfa/second-factor.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";
import { recordOwnAct } from "../record-event.ts";

/**
 * `POST /auth/disable-mfa`: removes the second factor. Needs a valid code. Errors: `INVALID_MFA_CODE`, 400
 * `VALIDATION_ERROR` if MFA is not enabled, and those of `lockCaller`.
 */
export async function disableMfa(
  { code }: AccountBody<"disableMfa">,
  call: AccountRequest,
): Promise<AuthAnswer> {
  const { services, caller } = call;
  const { user } = await proveFactor(services, caller, { state: "enabled", code }, removeFactor);
  recordOwnAct(call, "mfa.disabled");
  services.notices.tell("mfa.disabled", user, call);
  return { message: "MFA is disabled", data: { enabled: false } };
}
