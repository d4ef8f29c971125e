import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import { requireConfirmed, requireStrong } from "../../passwords/password-rules.ts";
import { resetPassword as setPassword } from "../../passwords/reset-password.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";

/**
 * `POST /auth/reset-password`: sets a new password for the owner of the link. The password is validated
 * first, and an invalid one does not use the link up. Errors: `VALIDATION_ERROR`, `WEAK_PASSWORD`,
 * `INVALID_RESET_TOKEN`, `ACCOUNT_INACTIVE`.
 */
export async function resetPassword(
  sent: AccountBody<"resetPassword">,
  { services }: AccountRequest<null>,
): Promise<AuthAnswer> {
  requireConfirmed(sent);
  requireStrong(sent.new_password, "new_password", services.config.auth.passwordComplexity);
  await setPassword(services, sent.token, sent.new_password);
  return { message: "password set", data: {} };
}
