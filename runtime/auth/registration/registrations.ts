import { isSetByService } from "../../../vocabulary/user-fields.ts";
import { guest, shareOf } from "../../access/index.ts";
import type { Queryable, Transaction } from "../../database/index.ts";
import { invalid, refuseProblems } from "../../errors/index.ts";
import type { AnyTypes, Registration, RegistrationResult } from "../../hooks/index.ts";
import { type CheckedRecord, storedForm } from "../../sql/index.ts";
import { asStep } from "../../tracing/index.ts";
import { recordProblems } from "../../validation/index.ts";
import { type AuthHookOrigin, authHook, requireAnswer } from "../auth-hook.ts";
import { type PasswordRules, requireStrong } from "../passwords/password-rules.ts";
import type { Accounts } from "../service-accounts.ts";
import { requireEmail } from "../users/email.ts";
import { insertUser } from "../users/insert-user.ts";
import { emailTaken } from "../users/user-errors.ts";
import { asPrincipal } from "../users/user-object.ts";
import { findUserByEmail, type UserRow } from "../users/users-table.ts";

/** A registration as hooks see it. */
export type NewAccount = Registration<AnyTypes["create"]>;

/** A password whose hash was made before the transaction, so that no connection of the database waits for it. */
export interface HashedPassword {
  readonly password: string;
  readonly hash: string;
}

/** What is asked of passwords, and what hashes those that a hook has replaced. */
interface RegistrationRules extends Pick<PasswordRules, "complexity"> {
  readonly hash: (password: string, share: string) => Promise<string>;
}

/** Makes the accounts of people who register themselves. */
export class Registrations {
  readonly #accounts: Accounts;
  readonly #rules: RegistrationRules;

  constructor(accounts: Accounts, rules: RegistrationRules) {
    this.#accounts = accounts;
    this.#rules = rules;
  }

  /**
   * Refuses an e-mail that has an account, to save the work of a hash; the INSERT decides. Not where a hook is asked first:
   * it may mean to tell strangers nothing.
   */
  async requireFree(connection: Queryable, email: string): Promise<void> {
    if (this.#accounts.hooks.before_register !== undefined) return;
    if ((await findUserByEmail(connection, email)) !== null) throw emailTaken();
  }

  /**
   * Makes an account with the role `user`: runs `before_register`, checks in full what came of it, and inserts the row. By
   * e-mail, with a password; or without one, where a phone number or a provider has proved who somebody is: then neither
   * that nor the e-mail is for a hook to change. Errors: `VALIDATION_ERROR`, `WEAK_PASSWORD`, `EMAIL_ALREADY_EXISTS`.
   * `afterRegister` belongs to it.
   */
  async register(
    transaction: Transaction,
    origin: AuthHookOrigin,
    registration: NewAccount,
    hashed?: HashedPassword,
  ): Promise<UserRow> {
    const { users, validators, hooks } = this.#accounts;
    const { complexity, hash } = this.#rules;
    const { email, password, phone_number } = registration;
    const given = await authHook(origin, hooks.before_register, { ...registration }, transaction);
    const identity = password === null ? { email, password } : requireIdentity(given);
    const record: CheckedRecord = { ...withoutOwnColumns(given), ...identity, phone_number };
    if (identity.password !== null) requireStrong(identity.password, "password", complexity);
    refuseProblems(recordProblems(validators.create, record, "complete"));
    // A hook may have replaced the password.
    const stored = await storedForm(users, record, (text) =>
      text === hashed?.password
        ? Promise.resolve(hashed.hash)
        : asStep(origin.trace, "password", () => hash(text, shareOf(guest, origin.address ?? ""))),
    );
    const user = await insertUser(transaction, users, stored);
    if (user === null) throw emailTaken();
    return user;
  }

  /** Runs `after_register`, still inside the transaction: a throw undoes the registration. Gives what will be answered. */
  async afterRegister(
    transaction: Transaction,
    origin: AuthHookOrigin,
    user: UserRow,
    data: RegistrationResult["data"],
  ): Promise<RegistrationResult> {
    const { after_register: hook } = this.#accounts.hooks;
    const result: RegistrationResult = { statusCode: 200, status: "success", message: "registered", data };
    const answer = await authHook(origin, hook, result, transaction, asPrincipal(user));
    return requireAnswer(answer, "after_register");
  }
}

function requireIdentity({ email, password }: NewAccount): { email: string; password: string } {
  if (typeof email !== "string") throw invalid([{ field: "email", message: "is required" }]);
  if (typeof password !== "string") throw invalid([{ field: "password", message: "is required" }]);
  return { email: requireEmail(email), password };
}

/** What a hook puts into columns of the service is dropped. */
function withoutOwnColumns(given: NewAccount): CheckedRecord {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isSetByService(name)));
}
