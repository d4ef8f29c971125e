import { proveFactor, removeFactor } from "../../mfa/second-factor.ts";
import { type BodyOf, body, unchecked } from "../account-body.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";

const keys = { code: unchecked };

export const disableMfaBody = body(keys);

/**
 * `POST /auth/disable-mfa`: removes the second factor. Needs a valid code. Errors: `INVALID_MFA_CODE`, 400
 * `VALIDATION_ERROR` if MFA is not enabled, and those of `lockCaller`.
 */
export async function disableMfa(
  { code }: BodyOf<typeof keys>,
  { services, caller }: AccountRequest,
): Promise<AuthAnswer> {
  await proveFactor(services, caller, { state: "enabled", code }, removeFactor);
  return { message: "MFA is disabled", data: { enabled: false } };
}
