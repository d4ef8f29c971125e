import type { Queryable, Statement } from "../../../core/database/index.ts";

/** The ways to sign in of an account, as administrators see them. */
export interface SignInDetails {
  readonly password: boolean;
  readonly mfa: boolean;
  readonly passkeys: number;
  /** Names of linked providers. */
  readonly providers: readonly unknown[];
  readonly api_keys: number;
  readonly sessions: number;
}

const find: Statement = {
  name: "kirak_auth_user_details",
  text: `select
  (select password is not null from users where id = $1),
  exists (select from auth_mfa where user_id = $1 and enabled),
  (select count(*) from auth_passkeys where user_id = $1),
  (select coalesce(json_agg(provider order by provider), '[]') from auth_social where user_id = $1),
  (select count(*) from auth_tokens where user_id = $1 and token_type = 'api_key' and expires_at > now()),
  (select count(*) from auth_tokens where user_id = $1 and token_type = 'refresh' and expires_at > now())`,
  reads: true,
};

/** Returns the ways to sign in of an account. */
export async function signInDetails(connection: Queryable, userId: string): Promise<SignInDetails> {
  const [[password, mfa, passkeys, providers, keys, sessions] = []] = await connection.run(find, [userId]);
  return {
    password: password === "t",
    mfa: mfa === "t",
    passkeys: Number(passkeys),
    providers: JSON.parse(providers ?? "[]"),
    api_keys: Number(keys),
    sessions: Number(sessions),
  };
}
