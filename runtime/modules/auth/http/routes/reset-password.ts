import { requireConfirmed, requireStrong } from "../../passwords/password-rules.ts";
import { resetPassword as setPassword } from "../../passwords/reset-password.ts";
import { anyText, type BodyOf, body, text } from "../account-body.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";

const keys = { token: text(4096), new_password: anyText, confirm_password: anyText };

export const resetPasswordBody = body(keys);

/**
 * `POST /auth/reset-password`: sets a new password for the owner of the link. The password is validated
 * first, and an invalid one does not use the link up. Errors: `VALIDATION_ERROR`, `WEAK_PASSWORD`,
 * `INVALID_RESET_TOKEN`, `ACCOUNT_INACTIVE`.
 */
export async function resetPassword(
  sent: BodyOf<typeof keys>,
  { services }: AccountRequest<null>,
): Promise<AuthAnswer> {
  requireConfirmed(sent);
  requireStrong(sent.new_password, "new_password", services.config.auth.passwordComplexity);
  await setPassword(services, sent.token, sent.new_password);
  return { message: "password set", data: {} };
}
