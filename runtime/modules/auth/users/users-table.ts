import { isoText } from "../../../../vocabulary/fields/dates.ts";
import type { Queryable, Statement, TextRow } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import type { CurrentUser, LoginUser, OtpUser, SocialUser } from "../../../hooks/index.ts";
import type { Principal } from "../../../models/access/index.ts";

/** A row of `users`. Times are ISO-8601. */
export interface UserRow {
  readonly id: string;
  readonly email: string | null;
  /** bcrypt hash; null for accounts that never had one. */
  readonly password: string | null;
  readonly role: string;
  readonly firstName: string | null;
  readonly lastName: string | null;
  readonly phoneNumber: string | null;
  readonly isVerified: boolean;
  readonly isActive: boolean;
  readonly createdAt: string;
  readonly lastLoginAt: string | null;
  /** When the password was last changed or all sessions were ended; null for never. */
  readonly credentialsChangedAt: string | null;
}

/** The columns of a UserRow, in its order. */
export const userColumns = `id, email, password, role, first_name, last_name, phone_number, is_verified, is_active,
  created_at, last_login_at, credentials_changed_at`;

const select = (name: string, where: string): Statement => ({
  name: `kirak_auth_user_${name}`,
  text: `select ${userColumns} from users where ${where}`,
  reads: true,
});

const statements = {
  byId: select("by_id", "id = $1"),
  // Serializes changes of the user, and still lets other transactions check foreign keys.
  lock: select("lock", "id = $1 for no key update"),
  lockTwo: select("lock_two", "id in ($1, $2) order by id for no key update"),
};

/** The time of a change. It is later than the user's last change, also within one millisecond. */
const changedAt = (milliseconds: string) =>
  `greatest(to_timestamp(${milliseconds} / 1000.0), credentials_changed_at + interval '1 millisecond')`;

const signedIn = {
  name: "kirak_auth_user_signed_in",
  text: `update users set last_login_at = now() where id = $1 returning ${userColumns}`,
};

/** Returns a function that changes a user's row. `$1` is the id. The row must be locked. */
function change<Values extends readonly (string | number)[]>(name: string, set: string) {
  const text = `update users set ${set}, updated_at = now() where id = $1`;
  const statement = { name: `kirak_auth_user_${name}`, text };
  return async (transaction: Queryable, id: string, ...values: Values): Promise<void> => {
    await transaction.run(statement, [id, ...values]);
  };
}

/** Sets the hash of a new password. `now` is in milliseconds. */
export const storePassword = change<[hash: string, now: number]>(
  "password",
  `password = $2, credentials_changed_at = ${changedAt("$3")}`,
);

/** Sets a new hash of the same password. */
export const storeRenewedHash = change<[hash: string]>("renew_hash", "password = $2");

/** Records that all sessions were ended. Older access tokens cannot create credentials. `now` is in ms. */
export const noteSessionsEnded = change<[now: number]>(
  "end_sessions",
  `credentials_changed_at = ${changedAt("$2")}`,
);

export const markVerified = change<[]>("verified", "is_verified = true");

/** Marks the phone number as verified, and removes an unverified e-mail (`docs/sign-in.md`). */
export const markPhoneVerified = change<[]>("phone_verified", "is_verified = true, email = null");

/** Sets an address whose owner has confirmed it. */
export const storeVerifiedEmail = change<[email: string]>("email", "email = $2, is_verified = true");

export const forgetPhoneNumber = change<[]>("without_phone", "phone_number = null");

/** Sets the hash of a first password. Older access tokens stay good: it ends no session. */
export const storeFirstPassword = change<[hash: string]>("first_password", "password = $2");

/** Sets a number whose owner has confirmed it. */
export const storePhoneNumber = change<[phone: string]>("phone", "phone_number = $2");

export const forgetPassword = change<[]>("forget_password", "password = null");

const storeWhole = {
  name: "kirak_auth_user_store",
  text: `update users set role = $2, is_active = $3, is_verified = $4, email = $5, first_name = $6, last_name = $7,
  updated_at = now() where id = $1`,
};

/** Stores the columns of an account that administrators change. The row must be locked. */
export async function storeAccount(transaction: Queryable, user: UserRow): Promise<void> {
  const { id, role, isActive, isVerified, email, firstName, lastName } = user;
  await transaction.run(storeWhole, [id, role, isActive, isVerified, email, firstName, lastName]);
}

/** Returns a user by id; null for an unknown or invalid id. */
export function findUser(connection: Queryable, id: string): Promise<UserRow | null> {
  return isUserId(id) ? first(connection, statements.byId, id) : Promise.resolve(null);
}

/**
 * Returns the user, locked until the transaction ends. Operations on sessions, keys or the password call this
 * first, so that they are serialized.
 */
export function lockUser(transaction: Queryable, id: string): Promise<UserRow | null> {
  return isUserId(id) ? first(transaction, statements.lock, id) : Promise.resolve(null);
}

/** Returns two users (or one user twice), locked. Locks the lower id first, which prevents deadlocks. */
export async function lockUsers(
  transaction: Queryable,
  one: string,
  other: string,
): Promise<readonly [UserRow | null, UserRow | null]> {
  const wanted = [one, other].map((id) => (isUserId(id) ? id : null));
  const users = (await transaction.run(statements.lockTwo, wanted)).map(userOf);
  const withId = (id: string) => users.find((user) => user.id === id) ?? null;
  return [withId(one), withId(other)];
}

/** Returns a function that finds a user by one value. */
function by(statement: Statement) {
  return (connection: Queryable, text: string): Promise<UserRow | null> => first(connection, statement, text);
}

/** Returns a user by the canonical form of the e-mail, or null. */
export const findUserByEmail = by(select("by_email", "email = $1"));

/** Returns a user by the phone number in E.164, or null. */
export const findUserByPhone = by(select("by_phone", "phone_number = $1"));

/** Like `lockUser`, by the canonical form of the e-mail. */
export const lockUserByEmail = by(select("lock_by_email", "email = $1 for no key update"));

/** Like `lockUser`, by the phone number in E.164. */
export const lockUserByPhone = by(select("lock_by_phone", "phone_number = $1 for no key update"));

/** Records the time of a sign-in, and returns the user. */
export async function noteSignIn(transaction: Queryable, id: string): Promise<UserRow> {
  const user = await first(transaction, signedIn, id);
  if (user === null) throw new Error("a locked user was not found");
  return user;
}

/** Returns the first row of a statement that selects `userColumns`, or null. */
export async function first(
  connection: Queryable,
  statement: Statement,
  ...values: readonly unknown[]
): Promise<UserRow | null> {
  const [row] = await connection.run(statement, values);
  return row === undefined ? null : userOf(row);
}

/** Whether a text can be an id of `users`. The `sub` of a token can be any text. */
export function isUserId(text: string): boolean {
  return /^[1-9]\d{0,17}$/.test(text);
}

function userOf(row: TextRow): UserRow {
  const [id, email, password, role, firstName, lastName, phoneNumber, verified, active, ...times] = row;
  const [created, login, changed] = times;
  return {
    id: id ?? "",
    email: email ?? null,
    password: password ?? null,
    role: role ?? "",
    firstName: firstName ?? null,
    lastName: lastName ?? null,
    phoneNumber: phoneNumber ?? null,
    isVerified: verified === "t",
    isActive: active === "t",
    createdAt: isoText(created ?? ""),
    lastLoginAt: login == null ? null : isoText(login),
    credentialsChangedAt: changed == null ? null : isoText(changed),
  };
}

/** 404 for a user who does not exist. */
export function noSuchUser(): ServiceError {
  return new ServiceError("NOT_FOUND", "This user does not exist.");
}

/** 404 for a caller whose row is gone. */
export function noSuchCaller(): ServiceError {
  return new ServiceError("NOT_FOUND", "The user of this token does not exist any more.");
}

/** 409 for an address that already has an account. */
export function emailTaken(): ServiceError {
  return new ServiceError("EMAIL_ALREADY_EXISTS", undefined, { field: "email" });
}

/** 409 for a phone number of another account. */
export function phoneTaken(): ServiceError {
  return new ServiceError("PHONE_ALREADY_EXISTS", undefined, { field: "phone_number" });
}

/** The user in the response to a login or registration. */
export function loginUser(user: UserRow): LoginUser {
  return {
    user_id: Number(user.id),
    email: user.email,
    first_name: user.firstName,
    last_name: user.lastName,
    phone_number: user.phoneNumber,
    role: user.role,
    is_verified: user.isVerified,
    created_at: user.createdAt,
    last_login_at: user.lastLoginAt,
  };
}

/** The user in the response of `/auth/me` and `/auth/get-current-user`. */
export function currentUser(user: UserRow): CurrentUser {
  return {
    user_id: Number(user.id),
    email: user.email,
    role: user.role,
    first_name: user.firstName,
    last_name: user.lastName,
    is_verified: user.isVerified,
    is_active: user.isActive,
    created_at: user.createdAt,
    last_login_at: user.lastLoginAt,
  };
}

/** The user in the response to a one-time code. */
export function otpUser(user: UserRow): OtpUser {
  return {
    user_id: Number(user.id),
    first_name: user.firstName,
    last_name: user.lastName,
    email: user.email,
    phone_number: user.phoneNumber,
    role: user.role,
    is_active: user.isActive,
    created_at: user.createdAt,
    last_login_at: user.lastLoginAt,
  };
}

/** The user in the response to a social sign-in. */
export function socialUser({ id, email, role }: UserRow): SocialUser {
  return { user_id: Number(id), email, role };
}

/** The user as hooks see the caller. */
export function asPrincipal({ id, role, email }: UserRow): Principal {
  return { user_id: id, role, email: email ?? "" };
}
