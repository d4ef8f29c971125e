import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import { isJsonObject } from "../../../../../vocabulary/json.ts";
import { invalid } from "../../../../core/errors/index.ts";
import type { RegistrationResult } from "../../../../hooks/index.ts";
import { guest, shareOf } from "../../../../models/access/index.ts";
import { discardIfWithheld, hasTokens } from "../../registration/registrations.ts";
import { loginUser, type UserRow } from "../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../account-route.ts";

type RegistrationData = RegistrationResult["data"];

/**
 * `POST /auth/register`: creates an account and mails the link that verifies its address. The answer has
 * tokens unless `auth` requires verification. Sets cookies only with `cookie_only`. Errors:
 * `PERMISSION_DENIED`, `VALIDATION_ERROR`, `WEAK_PASSWORD`, `EMAIL_ALREADY_EXISTS`.
 */
export async function register(
  sent: AccountBody<"register">,
  call: AccountRequest<null>,
): Promise<AuthAnswer> {
  const { columns, config, database, linkMail, passwordRules, passwords, registrations, sessions } =
    call.services;
  registrations.requireOpen();
  const { email, password, first_name = null, last_name = null } = sent;
  // Social sign-in assigns placeholder addresses. Registering one would lock its later owner out.
  if (!linkMail.reaches(email))
    throw invalid([{ field: "email", message: "is not an address that can receive mails" }]);
  await passwordRules.require(password, "password", { email, firstName: first_name, lastName: last_name });
  await registrations.requireFree(database, email);
  const hashed = { password, hash: await passwords.hash(password, shareOf(guest, call.address)) };
  const { user, message, data, tokens } = await database.transaction(async (transaction) => {
    const identity = { email, password, phone_number: null };
    const registration = { ...columns.valuesIn(sent), ...identity, first_name, last_name };
    const user = await registrations.register(transaction, call, registration, hashed);
    const tokens = config.auth.emailVerificationRequired
      ? undefined
      : await sessions.issueTokens(transaction, call, user, ["password"]);
    const shown = { user: loginUser(user), verification_email_sent: linkMail.obstacle === null };
    const answer = { ...shown, ...tokens?.pair };
    const { message, data } = await registrations.afterRegister(transaction, call, user, answer);
    if (tokens !== undefined) await discardIfWithheld(transaction, sessions, tokens, data);
    return { user, message, data, tokens };
  });
  const answer = { message, data: (await mailVerification(user, call)) ? data : withoutMail(data) };
  // A hook can have withheld the tokens.
  const setsCookies = sent.cookie_only === true && tokens !== undefined && hasTokens(data);
  return setsCookies ? { ...answer, tokens } : answer;
}

/** Returns whether the mail was sent. A failure does not undo the registration. */
async function mailVerification(user: UserRow, { services, log }: AccountRequest<null>): Promise<boolean> {
  const { config, links, linkMail, messageLimits, now } = services;
  const { obstacle } = linkMail;
  // Logged each time: the user cannot use the account until an administrator makes a link for it.
  if (obstacle !== null && config.auth.emailVerificationRequired)
    log.warn({ user_id: user.id }, `the verification mail of a registration was not sent: ${obstacle}`);
  if (links === null || user.email === null || obstacle !== null || !linkMail.reaches(user.email))
    return false;
  // Over the limit, the answer is the same as after a sent mail.
  if (!(await messageLimits.mayMail(user.email, log))) return true;
  try {
    await linkMail.send("verify-email", user, links.verificationUrl(user.id, user.email, now()));
    return true;
  } catch (error) {
    log.error({ err: error, user_id: user.id }, "the verification mail of a registration was not sent");
    return false;
  }
}

/** The hook's data, with `verification_email_sent` set to false if the hook kept it. */
function withoutMail(data: RegistrationData): RegistrationData {
  return isJsonObject(data) && "verification_email_sent" in data
    ? { ...data, verification_email_sent: false }
    : data;
}
