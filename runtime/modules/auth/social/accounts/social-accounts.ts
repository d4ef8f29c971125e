import type { Transaction } from "../../../../core/database/index.ts";
import { ServiceError } from "../../../../core/errors/index.ts";
import type { AuthHookOrigin } from "../../auth-hook.ts";
import type { SealedTexts } from "../../crypto/hash.ts";
import type { Registrations } from "../../registration/registrations.ts";
import { requireActive } from "../../sessions/caller.ts";
import { type AccountRevocation, takeOver } from "../../sessions/revocation.ts";
import { lockUser, lockUserByEmail, loginUser, markVerified, type UserRow } from "../../users/users-table.ts";
import { findLinked, insertLink, renewLink, type SocialVisitor, serialize, turnOf } from "./social-rows.ts";

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
   * or a new one. Errors: `SOCIAL_EMAIL_NOT_VERIFIED`, `ACCOUNT_INACTIVE`, `PERMISSION_DENIED` for a new account
   * in an app by invitation, `EMAIL_ALREADY_EXISTS` if the address was registered at the same moment, and the
   * errors of the registration's hooks.
   */
  async userOf(
    transaction: Transaction,
    origin: AuthHookOrigin,
    visitor: SocialVisitor,
  ): Promise<{ readonly user: UserRow; readonly isNew: boolean }> {
    const known = await this.#linked(transaction, visitor);
    if (known !== null) return { user: known, isNew: false };
    await serialize(transaction, turnOf(visitor));
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
    await insertLink(transaction, user.id, visitor, this.#visit);
    return { user, isNew: owner === null };
  }

  async #linked(transaction: Transaction, visitor: SocialVisitor): Promise<UserRow | null> {
    const id = await findLinked(transaction, visitor);
    const user = id === null ? null : await lockUser(transaction, id);
    if (user === null) return null;
    // While this waited for the lock, `clearCredentials` can have removed the link.
    if ((await findLinked(transaction, visitor)) !== user.id) throw new ServiceError("SOCIAL_AUTH_FAILED");
    requireActive(user);
    await renewLink(transaction, visitor, this.#visit);
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

  get #visit() {
    return { sealed: this.#options.sealed, isSignIn: true };
  }
}
