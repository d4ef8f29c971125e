import { isoText } from "../../../../../vocabulary/fields/dates.ts";
import type { Queryable, Statement } from "../../../../core/database/index.ts";
import type { SealedTexts } from "../../crypto/hash.ts";
import type { SocialIdentity } from "../conversation/identity.ts";
import type { Answers } from "../conversation/paths.ts";

/** An account at a provider. */
export interface SocialKey {
  readonly provider: string;
  readonly uid: string;
}

/** A user as a provider identified it. */
export interface SocialVisitor extends SocialKey {
  readonly identity: SocialIdentity;
  /** As the provider said it, or null. */
  readonly email: string | null;
  /** The provider's data, which is stored encrypted. */
  readonly answers: Answers;
}

/** A visit: a sign-in counts as a use of the link. */
interface Visit {
  readonly sealed: SealedTexts;
  readonly isSignIn: boolean;
}

const advisoryLock = {
  name: "kirak_auth_social_turn",
  text: "select pg_advisory_xact_lock(hashtextextended($1, 0))",
};

/**
 * Takes an advisory lock until the transaction ends, so that first sign-ins with the same `name` run one
 * after the other. Take it before the lock of the user's row.
 */
export async function serialize(transaction: Queryable, name: string): Promise<void> {
  await transaction.run(advisoryLock, [`kirak social ${name}`]);
}

/** The turn of an account at a provider. */
export function turnOf({ provider, uid }: SocialKey): string {
  return `${provider} ${uid}`;
}

const find = {
  name: "kirak_auth_social_find",
  text: "select user_id from auth_social where provider = $1 and uid = $2",
};

/** Returns the user that an account at a provider is linked to, or null. */
export async function findLinked(
  connection: Queryable,
  { provider, uid }: SocialKey,
): Promise<string | null> {
  const [row] = await connection.run(find, [provider, uid]);
  return row?.[0] ?? null;
}

const insert = {
  name: "kirak_auth_social_insert",
  text: `insert into auth_social (user_id, provider, uid, extra_data, provider_email, last_used_at)
values ($1, $2, $3, $4, $5, case when $6::boolean then now() end)`,
};

/** Links an account at a provider to a user. */
export async function insertLink(
  transaction: Queryable,
  userId: string,
  visitor: SocialVisitor,
  { sealed, isSignIn }: Visit,
): Promise<void> {
  const { provider, uid, email } = visitor;
  await transaction.run(insert, [userId, provider, uid, sealedAnswers(visitor, sealed), email, isSignIn]);
}

const renew = {
  name: "kirak_auth_social_renew",
  text: `update auth_social set extra_data = $3, provider_email = $4,
  last_used_at = case when $5::boolean then now() else last_used_at end, updated_at = now()
where provider = $1 and uid = $2`,
};

/** Replaces the stored data of the provider. */
export async function renewLink(
  transaction: Queryable,
  visitor: SocialVisitor,
  { sealed, isSignIn }: Visit,
): Promise<void> {
  const { provider, uid, email } = visitor;
  await transaction.run(renew, [provider, uid, sealedAnswers(visitor, sealed), email, isSignIn]);
}

function sealedAnswers({ answers, ...key }: SocialVisitor, sealed: SealedTexts): string {
  return sealed.seal(JSON.stringify(answers), turnOf(key));
}

const list: Statement = {
  name: "kirak_auth_social_list",
  text: `select provider, provider_email, created_at, last_used_at from auth_social
where user_id = $1 order by created_at, id`,
  reads: true,
};

/** A linked provider, as the owner of the account sees it. Times are ISO-8601. */
export interface LinkedProvider {
  readonly provider: string;
  readonly email: string | null;
  readonly linked_at: string;
  readonly last_used_at: string | null;
}

/** Returns the linked providers of a user, oldest first. */
export async function linkedProviders(connection: Queryable, userId: string): Promise<LinkedProvider[]> {
  const rows = await connection.run(list, [userId]);
  return rows.map(([provider, email, linked, used]) => ({
    provider: provider ?? "",
    email: email ?? null,
    linked_at: isoText(linked ?? ""),
    last_used_at: used == null ? null : isoText(used),
  }));
}

const remove = {
  name: "kirak_auth_social_remove",
  text: "delete from auth_social where user_id = $1 and provider = $2 returning id",
};

/** Deletes a link and the provider's tokens; false if it is not linked. The user's row must be locked. */
export async function removeLink(transaction: Queryable, userId: string, provider: string): Promise<boolean> {
  return (await transaction.run(remove, [userId, provider])).length > 0;
}
