import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import { enableFactor, proveFactor } from "../../mfa/second-factor.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";
import { recordOwnAct } from "../record-event.ts";

/**
 * `POST /auth/verify-mfa`: enables the pending factor if `action` is `activate`; otherwise checks a code.
 * Both use the code up. Errors: `INVALID_MFA_CODE`, 400 `VALIDATION_ERROR` without a factor in that state,
 * and those of `lockCaller`.
 */
export async function verifyMfa(
  { code, action }: AccountBody<"verifyMfa">,
  call: AccountRequest,
): Promise<AuthAnswer> {
  const { services, caller } = call;
  if (action === "activate") {
    const { user } = await proveFactor(services, caller, { state: "pending", code }, enableFactor);
    recordOwnAct(call, "mfa.enabled");
    services.notices.tell("mfa.enabled", user, call);
    return { message: "MFA is enabled", data: { enabled: true } };
  }
  const used = await proveFactor(services, caller, { state: "enabled", code });
  return {
    message: "the code is right",
    data: { backup_code_used: used.isBackupCode, backup_codes_remaining: used.backupCodesLeft },
  };
}
