import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { ServiceError } from "../../../../../core/errors/index.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";

/**
 * `POST /auth/{provider}/mobile`: signs in with a token that a mobile app got from the provider. Errors:
 * `MOBILE_SIGN_IN_NOT_SUPPORTED`, `VALIDATION_ERROR`, `SOCIAL_AUTH_FAILED`, and those of a callback.
 */
export async function socialMobile(
  sent: AccountBody<"socialMobile">,
  call: AccountRequest<null>,
): Promise<AuthAnswer> {
  const { conversation, services } = call;
  if (conversation === null) throw new ServiceError("NOT_FOUND", "There is no such route.");
  const request = {
    idToken: sent.id_token,
    accessToken: sent.access_token,
    deviceToken: sent.device_token ?? null,
    firstName: sent.first_name ?? null,
    lastName: sent.last_name ?? null,
    platform: sent.platform ?? null,
  };
  return services.social.mobile(conversation, request, call);
}
