import { guestRole, isReservedRole, reservedRoleText } from "../../../../vocabulary/accounts/role-names.ts";
import { isSetByService } from "../../../../vocabulary/accounts/user-fields.ts";
import { asStep, weakMemo } from "../../../core/concurrency/index.ts";
import type { Queryable, Transaction } from "../../../core/database/index.ts";
import { invalid, refuseProblems, ServiceError } from "../../../core/errors/index.ts";
import { databaseProblem } from "../../../data/operations/index.ts";
import {
  bareColumns,
  bindFields,
  type CheckedRecord,
  columnList,
  insertColumns,
  join,
  type Plan,
  plan,
  requestValue,
  sql,
  storedForm,
  tableSql,
} from "../../../data/sql/index.ts";
import type {
  AnyAuthHooks,
  AnyTypes,
  LoginResult,
  LoginUser,
  OtpUser,
  Registration,
  RegistrationResult,
} from "../../../hooks/index.ts";
import { guest, type Principal, shareOf } from "../../../models/access/index.ts";
import { columnsOf, type Model } from "../../../models/index.ts";
import { recordProblems } from "../../../models/validation/index.ts";
import { type AuthHookOrigin, authHook, requireAnswer } from "../auth-hook.ts";
import type { PasswordOwner, PasswordRules } from "../passwords/password-rules.ts";
import type { IssuedTokens, Sessions, SignedIn, SignInOrigin } from "../sessions/sessions.ts";
import type { UsersModel } from "../users/app-columns.ts";
import { requireEmail } from "../users/contact.ts";
import {
  asPrincipal,
  emailTaken,
  findUserByEmail,
  first,
  markPhoneVerified,
  markVerified,
  type UserRow,
  userColumns,
} from "../users/users-table.ts";

/** The app's parts of the accounts: the model `users`, and hooks. */
export interface Accounts extends UsersModel {
  readonly hooks: AnyAuthHooks;
}

/**
 * Inserts a user. Columns without a value get their default. The password is a hash, the e-mail canonical.
 * Returns null if the e-mail has an account. Errors: 400 `VALIDATION_ERROR` for another conflict, with
 * `details.field`.
 */
export async function insertUser(
  connection: Queryable,
  users: Model,
  record: CheckedRecord,
): Promise<UserRow | null> {
  const { statement, bind } = planOf(users);
  const values = bindFields(users, record, insertColumns(users));
  try {
    return await first(connection, statement, ...bind(values, guest));
  } catch (error) {
    throw databaseProblem(error, users);
  }
}

const planOf = weakMemo((users: Model): Plan => {
  const names = insertColumns(users);
  const columns = columnsOf(users);
  const values = names.map((name, index) => requestValue(index, columns.get(name)?.kind ?? "text"));
  // A conflict on another unique column throws; only the e-mail has its own error code.
  const text = `insert into ? (?) values (?) on conflict (email) do nothing returning ${userColumns}`;
  return plan(sql(text, tableSql(users), columnList(names, bareColumns(users)), join(values, ", ")));
});

/** A registration as hooks see it. */
type NewAccount = Registration<AnyTypes["create"]>;

/** A password that was hashed before the transaction, so that no database connection waits for the hash. */
interface HashedPassword {
  readonly password: string;
  readonly hash: string;
}

/** An account that an administrator creates: who acts, and the role of the account. */
export interface StaffRegistration {
  readonly principal: Principal;
  readonly role: string;
}

/** The password rules, and the hash function for passwords that a hook replaced. */
interface RegistrationRules {
  readonly passwords: PasswordRules;
  /** `auth.registration` */
  readonly isOpen: boolean;
  readonly hash: (password: string, share: string) => Promise<string>;
}

/** Creates the accounts of users who register. */
export class Registrations {
  readonly #accounts: Accounts;
  readonly #rules: RegistrationRules;

  constructor(accounts: Accounts, rules: RegistrationRules) {
    this.#accounts = accounts;
    this.#rules = rules;
  }

  /** Refuses users who create an account of their own in an app by invitation: 403 `PERMISSION_DENIED`. */
  requireOpen(): void {
    if (this.#rules.isOpen) return;
    throw new ServiceError(
      "PERMISSION_DENIED",
      "This service creates no accounts for users who register: ask for an invitation.",
    );
  }

  /**
   * Refuses an e-mail that has an account, to save the work of a hash; the INSERT decides. Skipped if a hook
   * runs first: the hook can decide to hide whether the account exists.
   */
  async requireFree(connection: Queryable, email: string): Promise<void> {
    if (this.#accounts.hooks.before_register !== undefined) return;
    if ((await findUserByEmail(connection, email)) !== null) throw emailTaken();
  }

  /**
   * Creates an account with the role `user`, or that of `staff`: runs `before_register`, validates its result
   * in full, and inserts the row. Without a password, a phone number or a provider has proved the identity, or
   * an administrator has named it, and a hook cannot change phone number or e-mail. Callers must run
   * `afterRegister` too. Errors: those of `requireOpen`, `VALIDATION_ERROR`, `WEAK_PASSWORD`,
   * `EMAIL_ALREADY_EXISTS`.
   */
  async register(
    transaction: Transaction,
    origin: AuthHookOrigin,
    registration: NewAccount,
    hashed?: HashedPassword,
    staff?: StaffRegistration,
  ): Promise<UserRow> {
    if (staff === undefined) this.requireOpen();
    const { users, validators, hooks } = this.#accounts;
    const { passwords, hash } = this.#rules;
    const { email, password, phone_number } = registration;
    const principal = staff?.principal ?? guest;
    const given = await authHook(origin, hooks.before_register, { ...registration }, transaction, principal);
    const identity = password === null ? { email, password } : requireIdentity(given);
    const record: CheckedRecord = {
      ...withoutServiceColumns(given),
      ...identity,
      phone_number,
      ...role(staff),
    };
    if (identity.password !== null)
      await passwords.require(identity.password, "password", ownerOf({ ...given, email: identity.email }));
    refuseProblems(recordProblems(validators.create, record, "complete"));
    // A hook can have replaced the password.
    const stored = await storedForm(users, record, (text) =>
      text === hashed?.password
        ? Promise.resolve(hashed.hash)
        : asStep(origin.trace, "password", () => hash(text, shareOf(guest, origin.address ?? ""))),
    );
    const user = await insertUser(transaction, users, stored);
    if (user === null) throw emailTaken();
    return user;
  }

  /** Runs `after_register` and returns the response. A throw of the hook rolls the registration back. */
  async afterRegister(
    transaction: Transaction,
    origin: AuthHookOrigin,
    user: UserRow,
    data: RegistrationResult["data"],
    principal: Principal = asPrincipal(user),
  ): Promise<RegistrationResult> {
    const { after_register: hook } = this.#accounts.hooks;
    const result: RegistrationResult = { statusCode: 200, status: "success", message: "registered", data };
    const answer = await authHook(origin, hook, result, transaction, principal);
    return requireAnswer(answer, "after_register");
  }
}

/** The person of a new account. The validators check the types of names later. */
function ownerOf({ email, first_name, last_name }: NewAccount): PasswordOwner {
  const text = (value: unknown) => (typeof value === "string" ? value : null);
  return { email: text(email), firstName: text(first_name), lastName: text(last_name) };
}

function role(staff: StaffRegistration | undefined): CheckedRecord {
  return staff === undefined ? {} : { role: staff.role };
}

function requireIdentity({ email, password }: NewAccount): { email: string; password: string } {
  if (typeof email !== "string") throw invalid([{ field: "email", message: "is required" }]);
  if (typeof password !== "string") throw invalid([{ field: "password", message: "is required" }]);
  return { email: requireEmail(email), password };
}

/** Drops a hook's values for columns that only the service sets. */
function withoutServiceColumns(given: NewAccount): CheckedRecord {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !isSetByService(name)));
}

/** An account that an operator creates. */
interface NewStaff {
  /** Canonical. */
  readonly email: string;
  readonly password: string;
  readonly role: string;
  readonly first_name?: string;
  readonly last_name?: string;
}

/** The rules and the hash function for passwords that an operator sets. */
export interface StaffPasswords {
  readonly rules: PasswordRules;
  readonly hash: (password: string) => Promise<string>;
}

/**
 * Creates a verified and active account with any role. Runs no hooks. Errors: `VALIDATION_ERROR`,
 * `WEAK_PASSWORD`, `EMAIL_ALREADY_EXISTS`.
 */
export async function createAccount(
  connection: Queryable,
  { users, validators }: Pick<Accounts, "users" | "validators">,
  staff: NewStaff,
  { rules, hash }: StaffPasswords,
): Promise<UserRow> {
  const record = { ...staff, is_verified: true, is_active: true };
  requireRole(staff.role);
  refuseProblems(recordProblems(validators.create, record, "complete"));
  const { email, first_name: firstName = null, last_name: lastName = null } = staff;
  await rules.require(staff.password, "password", { email, firstName, lastName });
  const user = await insertUser(connection, users, await storedForm(users, record, hash));
  if (user === null) throw emailTaken();
  return user;
}

/** Refuses role names that access rules reserve for groups of callers. */
function requireRole(role: string): void {
  if (role !== "" && role !== guestRole && !isReservedRole(role)) return;
  const why = isReservedRole(role) ? `: ${reservedRoleText(role)}` : "";
  throw invalid([{ field: "role", message: `is not a role that an account can have${why}` }]);
}

/** What a one-time code proved, and how the response shows the user. */
type ProvenContact =
  | { readonly phone_number: string; readonly email: null; readonly show: (user: UserRow) => OtpUser }
  | { readonly phone_number: null; readonly email: string; readonly show: (user: UserRow) => LoginUser };

/**
 * Creates the account of a phone number or e-mail address that a code proved, and signs its user in. Runs all
 * hooks. If `after_register` removes the tokens, the user is not signed in.
 */
export async function registerByCode(
  transaction: Transaction,
  { registrations, sessions }: { readonly registrations: Registrations; readonly sessions: Sessions },
  origin: SignInOrigin,
  { show, ...contact }: ProvenContact,
): Promise<SignedIn | Omit<SignedIn, "tokens">> {
  const made = await registrations.register(transaction, origin, { ...contact, password: null });
  const byPhone = contact.email === null;
  await (byPhone ? markPhoneVerified : markVerified)(transaction, made.id);
  const session = await sessions.begin<LoginUser | OtpUser>(transaction, origin, {
    user: made,
    signedInWith: [byPhone ? "otp" : "email_code"],
    show,
  });
  const { user, result } = session;
  const registered = await registrations.afterRegister(transaction, origin, user, result.data);
  const { message, data } = registered;
  await discardIfWithheld(transaction, sessions, session.tokens, data);
  return hasTokens(data)
    ? sessions.afterLogin(transaction, origin, session, { ...registered, data })
    : { message, data };
}

/** Runs a sign-in again if its address was registered at the same moment: then it finds the account. */
export async function againIfTaken<T>(signIn: () => Promise<T>): Promise<T> {
  try {
    return await signIn();
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "EMAIL_ALREADY_EXISTS") throw error;
    return signIn();
  }
}

/** Ends the session of a registration if a hook withheld both tokens: no one could use it. */
export async function discardIfWithheld(
  transaction: Transaction,
  sessions: Sessions,
  tokens: IssuedTokens,
  { accessToken, refreshToken }: RegistrationResult["data"],
): Promise<void> {
  if (accessToken === undefined && refreshToken === undefined) await sessions.discard(transaction, tokens);
}

/** Whether a hook left the tokens in the data of a registration. */
export function hasTokens(
  data: RegistrationResult["data"],
): data is RegistrationResult["data"] & LoginResult["data"] {
  const { accessToken, refreshToken, expiresIn } = data;
  return accessToken !== undefined && refreshToken !== undefined && expiresIn !== undefined;
}
