import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import { invalid, ServiceError } from "../../../../core/errors/index.ts";
import { lockForCaller } from "../../sessions/caller.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";

/**
 * `POST /auth/generate-verification-link`: a link for an administrator to pass on. Errors: `VALIDATION_ERROR`
 * if id and e-mail are not of one user; 503 `HTTP_ERROR` if links cannot be signed; and those of
 * `lockCaller`.
 */
export async function generateVerificationLink(
  { user_id, email, type }: AccountBody<"generateVerificationLink">,
  { services, caller }: AccountRequest,
): Promise<AuthAnswer> {
  const { database, links, now } = services;
  const link = await database.transaction(async (transaction) => {
    const user = await lockForCaller(transaction, services, caller, String(user_id));
    if (links === null) throw unsigned();
    if (user?.email !== email) throw notOneUser();
    return type === "email_verification"
      ? links.verificationUrl(user.id, email, now())
      : links.resetUrl(transaction, user.id, now());
  });
  return { message: "link generated", data: { secure_link: link, type } };
}

function unsigned(): ServiceError {
  const message = "Links cannot be signed: SERVICE_AUTH_VERIFICATION_KEY is not set.";
  return new ServiceError("HTTP_ERROR", message, undefined, { status: 503 });
}

function notOneUser(): ServiceError {
  return invalid([{ field: "email", message: "is not the e-mail of the user with this user_id" }]);
}
