import type { Transaction } from "../../database/index.ts";
import type { LoginResult, RegistrationResult } from "../../hooks/index.ts";
import type { AuthAnswer, AuthCall } from "../http/account-route.ts";
import { afterLogin, beginSession } from "../sign-in.ts";
import { afterRegister, registerUser } from "../users/register-user.ts";
import { otpUser } from "../users/user-object.ts";
import { markVerified } from "../users/users-table.ts";

/** Makes the account of a phone number that was just proved, without an e-mail, and signs it in. All hooks run. */
export async function registerByPhone(
  transaction: Transaction,
  call: AuthCall<unknown>,
  phone_number: string,
): Promise<AuthAnswer> {
  const made = await registerUser(transaction, call, { email: null, password: null, phone_number });
  await markVerified(transaction, made.id);
  const session = await beginSession(transaction, call, made, otpUser);
  const registered = await afterRegister(transaction, call, session.user, session.result.data);
  const { message, data } = registered;
  // A hook may have kept the tokens back: then nobody is signed in.
  if (!hasTokens(data)) return { message, data };
  return afterLogin(transaction, call, session, { ...registered, data });
}

function hasTokens(
  data: RegistrationResult["data"],
): data is RegistrationResult["data"] & LoginResult["data"] {
  const { accessToken, refreshToken, expiresIn } = data;
  return accessToken !== undefined && refreshToken !== undefined && expiresIn !== undefined;
}
