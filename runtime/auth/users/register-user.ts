import type { Transaction } from "../../database/index.ts";
import { invalid, refuseProblems, ServiceError } from "../../errors/index.ts";
import type { AnyTypes, Registration, RegistrationResult } from "../../hooks/index.ts";
import { type CheckedRecord, storedForm } from "../../sql/index.ts";
import { recordProblems } from "../../validation/index.ts";
import { authHook, requireAnswer } from "../auth-hook.ts";
import type { AuthCall } from "../http/account-route.ts";
import { requireStrong } from "../passwords/password-rules.ts";
import { asPrincipal } from "../sign-in.ts";
import { requireEmail } from "./email.ts";
import { insertUser } from "./insert-user.ts";
import type { UserRow } from "./users-table.ts";

/** A registration as hooks see it. */
export type NewAccount = Registration<AnyTypes>;

/** A password whose hash was made before the transaction, so that no connection of the database waits for it. */
export interface HashedPassword {
  readonly password: string;
  readonly hash: string;
}

/** Columns of `users` that no hook sets; what one puts there is dropped (decisions, part 7). */
const ownColumns = ["role", "is_verified", "is_active", "last_login_at", "credentials_changed_at"];

/**
 * Makes an account with the role `user`: runs `before_register`, checks in full what came of it, and inserts the row. By
 * e-mail, with a password; or by `phone_number`, with neither, whatever a hook says. Errors: `VALIDATION_ERROR`,
 * `WEAK_PASSWORD`, `EMAIL_ALREADY_EXISTS`. `afterRegister` belongs to it.
 */
export async function registerUser(
  transaction: Transaction,
  call: AuthCall<unknown>,
  registration: NewAccount,
  hashed?: HashedPassword,
): Promise<UserRow> {
  const { accounts, config, passwords } = call.services;
  const { users, validators, hooks } = accounts;
  const { phone_number } = registration;
  const given = await authHook(call, hooks.before_register, { ...registration }, transaction);
  const identity = phone_number === null ? requireIdentity(given) : { email: null, password: null };
  const record: CheckedRecord = { ...withoutOwnColumns(given), ...identity, phone_number };
  if (identity.password !== null)
    requireStrong(identity.password, "password", config.auth.passwordComplexity);
  refuseProblems(recordProblems(validators.create, record, "complete"));
  // A hook may have replaced the password.
  const hash = (text: string) =>
    text === hashed?.password ? Promise.resolve(hashed.hash) : passwords.hash(text);
  const stored = await storedForm(users, record, hash);
  const user = await insertUser(transaction, users, stored);
  if (user === null) throw emailTaken();
  return user;
}

/** Runs `after_register`, still inside the transaction: a throw undoes the registration. Gives what will be answered. */
export async function afterRegister(
  transaction: Transaction,
  call: AuthCall<unknown>,
  user: UserRow,
  data: RegistrationResult["data"],
): Promise<RegistrationResult> {
  const { after_register: hook } = call.services.accounts.hooks;
  const result: RegistrationResult = { statusCode: 200, status: "success", message: "registered", data };
  return requireAnswer(await authHook(call, hook, result, transaction, asPrincipal(user)), "after_register");
}

/** An address that has an account already. */
export function emailTaken(): ServiceError {
  return new ServiceError("EMAIL_ALREADY_EXISTS", undefined, { field: "email" });
}

function requireIdentity({ email, password }: NewAccount): { email: string; password: string } {
  if (typeof email !== "string") throw invalid([{ field: "email", message: "is required" }]);
  if (typeof password !== "string") throw invalid([{ field: "password", message: "is required" }]);
  return { email: requireEmail(email), password };
}

function withoutOwnColumns(given: NewAccount): CheckedRecord {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !ownColumns.includes(name)));
}
