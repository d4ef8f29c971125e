import { ServiceError } from "../../../../../core/errors/index.ts";
import { longestDeviceToken, platforms } from "../../../social/index.ts";
import { type BodyOf, nullableText, oneOf, openBody, optional, unchecked } from "../../account-body.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";

const keys = {
  id_token: optional(unchecked),
  access_token: optional(unchecked),
  device_token: optional(nullableText(longestDeviceToken)),
  first_name: optional(nullableText(255)),
  last_name: optional(nullableText(255)),
  platform: optional(oneOf(...platforms)),
};

export const socialMobileBody = openBody(keys);

/**
 * `POST /auth/{provider}/mobile`: signs in with a token that a mobile app got from the provider. Errors:
 * `MOBILE_SIGN_IN_NOT_SUPPORTED`, `VALIDATION_ERROR`, `SOCIAL_AUTH_FAILED`, and those of a callback.
 */
export async function socialMobile(
  sent: BodyOf<typeof keys>,
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
