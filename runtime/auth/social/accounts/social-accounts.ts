import type { Transaction } from "../../../database/index.ts";
import { ServiceError } from "../../../errors/index.ts";
import type { AuthHookOrigin } from "../../auth-hook.ts";
import type { SealedTexts } from "../../crypto/encryption.ts";
import type { Registrations } from "../../registration/registrations.ts";
import { clearCredentials } from "../../sessions/clear-credentials.ts";
import type { AccountRevocation } from "../../sessions/revoke-access-tokens.ts";
import { requireActive } from "../../sessions/sessions.ts";
import { loginUser } from "../../users/user-object.ts";
import {
  forgetPhoneNumber,
  lockUser,
  lockUserByEmail,
  markVerified,
  type UserRow,
} from "../../users/users-table.ts";
import type { SocialIdentity } from "../conversation/identity.ts";
import type { Answers } from "../conversation/paths.ts";
import { findLinked, link, renewExtraData, type SocialKey, takeTurn } from "./social-table.ts";

/** Who signed in, and at which provider. */
export interface SocialVisitor extends SocialKey {
  readonly identity: SocialIdentity;
  /** What the provider said, which is kept sealed. */
  readonly answers: Answers;
}

export interface SocialAccountsOptions extends AccountRevocation {
  readonly registrations: Registrations;
  readonly sealed: SealedTexts;
}

/** Which account of ours belongs to an account elsewhere (contract: "Social sign-in", 5 and 6). */
export class SocialAccounts {
  readonly #options: SocialAccountsOptions;

  constructor(options: SocialAccountsOptions) {
    this.#options = options;
  }

  /**
   * The user of a visitor, whose row is locked: the one who is linked, the one with the same e-mail where the provider has
   * verified it, or a new one. Errors: `SOCIAL_EMAIL_NOT_VERIFIED`, `ACCOUNT_INACTIVE`, `EMAIL_ALREADY_EXISTS` where
   * somebody registered the address at the same moment, and what the hooks of a registration throw.
   */
  async userOf(
    transaction: Transaction,
    origin: AuthHookOrigin,
    visitor: SocialVisitor,
  ): Promise<{ readonly user: UserRow; readonly isNew: boolean }> {
    const known = await this.#linked(transaction, visitor);
    if (known !== null) return { user: known, isNew: false };
    await takeTurn(transaction, `${visitor.provider} ${visitor.uid}`);
    // Whoever was quicker has linked it.
    const linked = await this.#linked(transaction, visitor);
    if (linked !== null) return { user: linked, isNew: false };
    const { email } = visitor.identity;
    if (email !== null) await takeTurn(transaction, `e-mail ${email}`);
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
    // While this waited for the lock, the owner of the e-mail may have come, and the link have gone.
    if ((await findLinked(transaction, visitor)) !== user.id) throw new ServiceError("SOCIAL_AUTH_FAILED");
    requireActive(user);
    await renewExtraData(transaction, visitor, this.#seal(visitor));
    return user;
  }

  /** Links an account that was there. Where nobody has proved its e-mail, somebody else may have registered it. */
  async #adopt(transaction: Transaction, user: UserRow, { identity }: SocialVisitor): Promise<UserRow> {
    if (!identity.emailVerified) throw new ServiceError("SOCIAL_EMAIL_NOT_VERIFIED");
    requireActive(user);
    if (user.isVerified) return user;
    await clearCredentials(transaction, this.#options, user.id);
    await forgetPhoneNumber(transaction, user.id);
    await markVerified(transaction, user.id);
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
