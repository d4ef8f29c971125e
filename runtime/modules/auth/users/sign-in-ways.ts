import type { Queryable, Statement } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import type { UserRow } from "./users-table.ts";

/** The settings that decide which ways of an account work. */
export interface SignInSettings {
  readonly emailVerificationRequired: boolean;
  /** Whether the service sends text messages. */
  readonly phone: boolean;
  /** Whether the service mails codes. */
  readonly emailCodes: boolean;
  readonly passkeys: boolean;
  /** The declared providers. */
  readonly providers: ReadonlySet<string>;
}

/** The ways to sign in to an account. */
export interface SignInWays {
  readonly password: boolean;
  readonly phone: boolean;
  readonly email_code: boolean;
  /** Whether a second factor is enabled. It is no way by itself. */
  readonly mfa: boolean;
  readonly passkeys: number;
  /** Linked and declared. */
  readonly providers: readonly string[];
}

const find: Statement = {
  name: "kirak_auth_user_ways",
  text: `select
  (select coalesce(json_agg(distinct provider order by provider), '[]') from auth_social where user_id = $1),
  (select count(*) from auth_passkeys where user_id = $1),
  exists (select from auth_mfa where user_id = $1 and enabled)`,
  reads: true,
};

/** Returns the ways to sign in to an account. */
export async function signInWays(
  connection: Queryable,
  { emailVerificationRequired, phone, emailCodes, passkeys, providers }: SignInSettings,
  user: UserRow,
): Promise<SignInWays> {
  const [[linked, registered, mfa] = []] = await connection.run(find, [user.id]);
  const names: unknown[] = JSON.parse(linked ?? "[]");
  const isVerified = user.email !== null && user.isVerified;
  return {
    password: user.password !== null && user.email !== null && (isVerified || !emailVerificationRequired),
    phone: phone && user.phoneNumber !== null,
    email_code: emailCodes && isVerified,
    mfa: mfa === "t",
    passkeys: passkeys ? Number(registered) : 0,
    providers: names.map(String).filter((name) => providers.has(name)),
  };
}

/** Whether an account has a way to sign in. */
export function canSignIn({ password, phone, email_code, passkeys, providers }: SignInWays): boolean {
  return password || phone || email_code || passkeys > 0 || providers.length > 0;
}

/** Refuses a change after which an account has no way to sign in: 409 `LAST_SIGN_IN_METHOD`. */
export function requireWay(ways: SignInWays): void {
  if (!canSignIn(ways)) throw new ServiceError("LAST_SIGN_IN_METHOD");
}
