import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import type { Transaction } from "../../../../../core/database/index.ts";
import { ServiceError } from "../../../../../core/errors/index.ts";
import { orRefusal, PasskeyRefusal } from "../../../passkeys/passkey-refusal.ts";
import type { ProvenPasskey } from "../../../passkeys/passkeys.ts";
import { inTransaction } from "../../../sessions/caller.ts";
import { lockUser, loginUser } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { verificationProblem } from "../login.ts";
import { passkeysOf } from "./passkeys-of.ts";

/** `POST /auth/passkeys/login-options`: options for the browser, the same for all callers. */
export async function passkeysLoginOptions(
  _: object,
  { services }: AccountRequest<null>,
): Promise<AuthAnswer> {
  return { message: "options for the browser", data: { options: passkeysOf(services).loginOptions() } };
}

/**
 * `POST /auth/passkeys/login`: signs in the owner of a passkey. It proves two factors, so no code is needed.
 * Errors: `PASSKEY_FAILED`, then `ACCOUNT_INACTIVE`, `EMAIL_NOT_VERIFIED`.
 */
export async function passkeysLogin(
  { response }: AccountBody<"passkeysLogin">,
  call: AccountRequest<null>,
): Promise<AuthAnswer> {
  const { database } = call.services;
  const proven = await passkeysOf(call.services).proveLogin(database, response);
  return inTransaction(database, (transaction) => signIn(transaction, call, proven));
}

/** Returns errors after which the transaction must commit: the counter was used. */
async function signIn(
  transaction: Transaction,
  call: AccountRequest<null>,
  proven: ProvenPasskey,
): Promise<AuthAnswer | ServiceError> {
  const { services } = call;
  const user = await lockUser(transaction, proven.passkey.userId);
  if (user === null) return new PasskeyRefusal("the user was deleted");
  const refusal = await orRefusal(() => passkeysOf(services).noteUse(transaction, user, proven));
  if (refusal instanceof ServiceError) return refusal;
  if (!user.isActive) return new ServiceError("ACCOUNT_INACTIVE");
  const unverified = verificationProblem(user, services.config.auth);
  if (unverified !== null) return unverified;
  const proof = { user, signedInWith: ["passkey"], show: loginUser } as const;
  return services.sessions.signIn(transaction, call, proof);
}
