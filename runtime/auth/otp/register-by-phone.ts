import type { Transaction } from "../../database/index.ts";
import type { LoginResult, RegistrationResult } from "../../hooks/index.ts";
import type { AuthHookOrigin } from "../auth-hook.ts";
import type { Registrations } from "../registration/registrations.ts";
import type { Sessions, SignedIn } from "../sessions/sessions.ts";
import { otpUser } from "../users/user-object.ts";
import { markPhoneVerified } from "../users/users-table.ts";

/** What making an account and signing it in takes. */
export interface PhoneRegistration {
  readonly registrations: Registrations;
  readonly sessions: Sessions;
}

/**
 * Makes the account of a phone number that was just proved, without an e-mail, and signs it in. All hooks run; where they
 * keep the tokens back nobody is signed in.
 */
export async function registerByPhone(
  transaction: Transaction,
  { registrations, sessions }: PhoneRegistration,
  origin: AuthHookOrigin,
  phone_number: string,
): Promise<SignedIn | Omit<SignedIn, "accessToken">> {
  const identity = { email: null, password: null, phone_number };
  const made = await registrations.register(transaction, origin, identity);
  await markPhoneVerified(transaction, made.id);
  const session = await sessions.begin(transaction, made, otpUser);
  const { user, result } = session;
  const registered = await registrations.afterRegister(transaction, origin, user, result.data);
  const { message, data } = registered;
  return hasTokens(data)
    ? sessions.afterLogin(transaction, origin, session, { ...registered, data })
    : { message, data };
}

function hasTokens(
  data: RegistrationResult["data"],
): data is RegistrationResult["data"] & LoginResult["data"] {
  const { accessToken, refreshToken, expiresIn } = data;
  return accessToken !== undefined && refreshToken !== undefined && expiresIn !== undefined;
}
