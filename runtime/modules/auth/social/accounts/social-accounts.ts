import type { Queryable, Transaction } from "../../../../core/database/index.ts";
import { ServiceError } from "../../../../core/errors/index.ts";
import type { AuthHookOrigin } from "../../auth-hook.ts";
import type { SealedTexts } from "../../crypto/hash.ts";
import type { Registrations } from "../../registration/registrations.ts";
import { requireActive } from "../../sessions/caller.ts";
import { type AccountRevocation, takeOver } from "../../sessions/revocation.ts";
import { lockUser, lockUserByEmail, loginUser, markVerified, type UserRow } from "../../users/users-table.ts";
import type { SocialIdentity } from "../conversation/identity.ts";
import type { Answers } from "../conversation/paths.ts";

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
const advisoryLock = {
  name: "kirak_auth_social_turn",
  text: "select pg_advisory_xact_lock(hashtextextended($1, 0))",
};

/** An account at a provider. */
interface SocialKey {
  readonly provider: string;
  readonly uid: string;
}

/** Returns the user that an account at a provider is linked to, or null. */
async function findLinked(connection: Queryable, { provider, uid }: SocialKey): Promise<string | null> {
  const [row] = await connection.run(find, [provider, uid]);
  return row?.[0] ?? null;
}

/** Links an account at a provider to a user. `extraData` is encrypted. */
async function link(
  transaction: Queryable,
  userId: string,
  { provider, uid }: SocialKey,
  extraData: string,
): Promise<void> {
  await transaction.run(insert, [userId, provider, uid, extraData]);
}

/** Replaces the stored data of the provider. `extraData` is encrypted. */
async function renewExtraData(
  transaction: Queryable,
  { provider, uid }: SocialKey,
  extraData: string,
): Promise<void> {
  await transaction.run(renew, [provider, uid, extraData]);
}

/**
 * Takes an advisory lock until the transaction ends, so that first sign-ins with the same `name` run one
 * after the other.
 */
async function serialize(transaction: Queryable, name: string): Promise<void> {
  await transaction.run(advisoryLock, [`kirak social ${name}`]);
}

/** A user as a provider identified it. */
export interface SocialVisitor extends SocialKey {
  readonly identity: SocialIdentity;
  /** The provider's data, which is stored encrypted. */
  readonly answers: Answers;
}

interface SocialAccountsOptions extends AccountRevocation {
  readonly registrations: Registrations;
  readonly sealed: SealedTexts;
}

/** The links from accounts at providers to the service's accounts. */
export class SocialAccounts {
  readonly #options: SocialAccountsOptions;

  constructor(options: SocialAccountsOptions) {
    this.#options = options;
  }

  /**
   * Returns the user of a visitor and locks its row: the linked user, the user with the same verified e-mail,
   * or a new one. Errors: `SOCIAL_EMAIL_NOT_VERIFIED`, `ACCOUNT_INACTIVE`, `PERMISSION_DENIED` for a new account in an app by invitation, `EMAIL_ALREADY_EXISTS` if the
   * address was registered at the same moment, and the errors of the registration's hooks.
   */
  async userOf(
    transaction: Transaction,
    origin: AuthHookOrigin,
    visitor: SocialVisitor,
  ): Promise<{ readonly user: UserRow; readonly isNew: boolean }> {
    const known = await this.#linked(transaction, visitor);
    if (known !== null) return { user: known, isNew: false };
    await serialize(transaction, `${visitor.provider} ${visitor.uid}`);
    // A concurrent sign-in can have linked it.
    const linked = await this.#linked(transaction, visitor);
    if (linked !== null) return { user: linked, isNew: false };
    const { email } = visitor.identity;
    if (email !== null) await serialize(transaction, `e-mail ${email}`);
    const owner = email === null ? null : await lockUserByEmail(transaction, email);
    const user =
      owner === null
        ? await this.#register(transaction, origin, visitor)
        : await this.#adopt(transaction, owner, visitor);
    await link(transaction, user.id, visitor, this.#seal(visitor));
    return { user, isNew: owner === null };
  }

  async #linked(transaction: Transaction, visitor: SocialVisitor): Promise<UserRow | null> {
    const id = await findLinked(transaction, visitor);
    const user = id === null ? null : await lockUser(transaction, id);
    if (user === null) return null;
    // While this waited for the lock, `clearCredentials` can have removed the link.
    if ((await findLinked(transaction, visitor)) !== user.id) throw new ServiceError("SOCIAL_AUTH_FAILED");
    requireActive(user);
    await renewExtraData(transaction, visitor, this.#seal(visitor));
    return user;
  }

  /** Links an existing account. If its e-mail was never verified, another person can have registered it. */
  async #adopt(transaction: Transaction, user: UserRow, { identity }: SocialVisitor): Promise<UserRow> {
    if (!identity.emailVerified) throw new ServiceError("SOCIAL_EMAIL_NOT_VERIFIED");
    requireActive(user);
    if (!user.isVerified) await takeOver(transaction, this.#options, user.id);
    return user;
  }

  async #register(
    transaction: Transaction,
    origin: AuthHookOrigin,
    { identity }: SocialVisitor,
  ): Promise<UserRow> {
    const { registrations } = this.#options;
    const { email, firstName: first_name, lastName: last_name } = identity;
    const registration = { email, password: null, phone_number: null, first_name, last_name };
    const made = await registrations.register(transaction, origin, registration);
    if (identity.emailVerified) await markVerified(transaction, made.id);
    const user = { ...made, isVerified: identity.emailVerified };
    const data = { user: loginUser(user), verification_email_sent: false };
    await registrations.afterRegister(transaction, origin, user, data);
    return user;
  }

  #seal({ provider, uid, answers }: SocialVisitor): string {
    return this.#options.sealed.seal(JSON.stringify(answers), `${provider} ${uid}`);
  }
}
