import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import { requireConfirmed } from "../../passwords/password-rules.ts";
import { resetPassword as setPassword } from "../../passwords/reset-password.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";
import { recordActOfLink } from "../record-event.ts";

/**
 * `POST /auth/reset-password`: sets a new password for the owner of the link. The password is validated
 * first, and an invalid one does not use the link up. Errors: `VALIDATION_ERROR`, `WEAK_PASSWORD`,
 * `INVALID_RESET_TOKEN`, `ACCOUNT_INACTIVE`.
 */
export async function resetPassword(
  sent: AccountBody<"resetPassword">,
  call: AccountRequest<null>,
): Promise<AuthAnswer> {
  const { services } = call;
  requireConfirmed(sent);
  await services.passwordRules.require(sent.new_password, "new_password", null);
  const user = await setPassword(services, sent.token, sent.new_password);
  recordActOfLink(call, "password.reset", user.id);
  services.notices.tell("password.reset", user, call);
  return { message: "password set", data: {} };
}
