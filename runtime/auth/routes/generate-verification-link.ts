import { invalid, ServiceError } from "../../errors/index.ts";
import { type BodyOf, body, emailAddress, id, oneOf } from "../body.ts";
import { requireFreshSession } from "../fresh-session.ts";
import { issueResetLink } from "../passwords/reset-password.ts";
import type { AuthAnswer, AuthCall } from "../route.ts";
import { findUser } from "../users/users-table.ts";

const keys = { user_id: id, email: emailAddress, type: oneOf("email_verification", "password_reset") };

export const generateVerificationLinkBody = body(keys);

/**
 * `POST /auth/generate-verification-link`: a link for an administrator to pass on. Errors: `VALIDATION_ERROR` where id
 * and e-mail are not of one user; 503 `HTTP_ERROR` where links cannot be signed.
 */
export async function generateVerificationLink(
  { user_id, email, type }: BodyOf<typeof keys>,
  { services, caller }: AuthCall,
): Promise<AuthAnswer> {
  const { database, links, now } = services;
  requireFreshSession(await findUser(database, caller.sub), caller);
  if (links === null) throw unsigned();
  const user = await findUser(database, String(user_id));
  if (user === null || user.email !== email) throw notOneUser();
  const link =
    type === "email_verification"
      ? links.verificationUrl(user.id, email, now())
      : await issueResetLink(services, user.id);
  if (link === null) throw notOneUser();
  return { message: "link generated", data: { secure_link: link, type } };
}

function unsigned(): ServiceError {
  const message = "Links cannot be signed: SERVICE_AUTH_VERIFICATION_KEY is not set.";
  return new ServiceError("HTTP_ERROR", message, undefined, { status: 503 });
}

function notOneUser(): ServiceError {
  return invalid([{ field: "email", message: "is not the e-mail of the user with this user_id" }]);
}
