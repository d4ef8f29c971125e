import type { Queryable } from "../../../database/index.ts";

const find = {
  name: "kirak_auth_social_find",
  text: "select user_id from auth_social where provider = $1 and uid = $2",
};
const insert = {
  name: "kirak_auth_social_insert",
  text: "insert into auth_social (user_id, provider, uid, extra_data) values ($1, $2, $3, $4)",
};
const renew = {
  name: "kirak_auth_social_renew",
  text: "update auth_social set extra_data = $3, updated_at = now() where provider = $1 and uid = $2",
};
const takeTurns = {
  name: "kirak_auth_social_turn",
  text: "select pg_advisory_xact_lock(hashtextextended($1, 0))",
};

/** An account at a provider. */
export interface SocialKey {
  readonly provider: string;
  readonly uid: string;
}

/** The user that an account at a provider is linked to; null for none. */
export async function findLinked(
  connection: Queryable,
  { provider, uid }: SocialKey,
): Promise<string | null> {
  const [row] = await connection.run(find, [provider, uid]);
  return row?.[0] ?? null;
}

/** Links an account at a provider to a user. `extraData` is sealed. */
export async function link(
  transaction: Queryable,
  userId: string,
  { provider, uid }: SocialKey,
  extraData: string,
): Promise<void> {
  await transaction.run(insert, [userId, provider, uid, extraData]);
}

/** Keeps what the provider said this time. */
export async function renewExtraData(
  transaction: Queryable,
  { provider, uid }: SocialKey,
  extraData: string,
): Promise<void> {
  await transaction.run(renew, [provider, uid, extraData]);
}

/** Waits until nobody else signs in by the same name for the first time: until the transaction ends, all others wait. */
export async function takeTurn(transaction: Queryable, name: string): Promise<void> {
  await transaction.run(takeTurns, [`kirak social ${name}`]);
}
