import type { Logger } from "pino";
import type { BackgroundTasks } from "../../../core/concurrency/index.ts";
import type { Database, Transaction } from "../../../core/database/index.ts";
import { invalid, ServiceError } from "../../../core/errors/index.ts";
import { shareOf } from "../../../models/access/index.ts";
import type { LinkMail, MessageLimits } from "../links/link-mail.ts";
import type { SignedLinks } from "../links/signed-link.ts";
import type { Passwords } from "../passwords/password-queue.ts";
import type { PasswordRules } from "../passwords/password-rules.ts";
import {
  type AccountRevocation,
  revokeAllTokens,
  revokeInvitations,
  takeOver,
} from "../sessions/revocation.ts";
import { voidPendingChanges } from "../users/pending-changes.ts";
import { canSignIn, type SignInSettings, signInWays } from "../users/sign-in-ways.ts";
import { findUser, lockUser, storePassword, type UserRow } from "../users/users-table.ts";

export interface Invitations {
  /** Null without `SERVICE_AUTH_VERIFICATION_KEY`. */
  readonly links: SignedLinks | null;
  readonly linkMail: LinkMail;
  readonly messageLimits: MessageLimits;
  readonly background: BackgroundTasks;
  readonly ways: SignInSettings;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The answer about an invitation: the link only if no mail has it. */
export interface SentInvitation {
  readonly invitation_sent: boolean;
  readonly invitation_link?: string;
}

/** Returns the links of the service. Errors: 503 `HTTP_ERROR` without a key. */
export function requireLinks({ links }: Pick<Invitations, "links">): SignedLinks {
  if (links !== null) return links;
  const message = "Links cannot be signed: SERVICE_AUTH_VERIFICATION_KEY is not set.";
  throw new ServiceError("HTTP_ERROR", message, undefined, { status: 503 });
}

/**
 * Makes the link of an invitation and voids an older one. The user's row must be locked. Errors: 503
 * `HTTP_ERROR`.
 */
export async function invitationLink(
  transaction: Transaction,
  services: Pick<Invitations, "links" | "now">,
  userId: string,
): Promise<string> {
  const links = requireLinks(services);
  await revokeInvitations(transaction, userId);
  return links.invitationUrl(transaction, userId, services.now());
}

/** Refuses an invitation to an account that needs none: 400 `VALIDATION_ERROR`. */
export async function requireInvitable(
  transaction: Transaction,
  { ways }: Pick<Invitations, "ways">,
  user: UserRow,
): Promise<void> {
  if (user.email === null) throw invalid([{ field: "email", message: "is missing: the account has none" }]);
  if (user.isVerified || canSignIn(await signInWays(transaction, ways, user)))
    throw new ServiceError("VALIDATION_ERROR", "The account is verified, or can sign in, already.");
}

/**
 * Mails the link of an invitation, unless it cannot be mailed: then it is in the answer. Call it after the
 * commit.
 */
export async function sendInvitation(
  { linkMail, messageLimits, background }: Invitations,
  user: Pick<UserRow, "email" | "firstName">,
  link: string,
  log: Logger,
): Promise<SentInvitation> {
  const { email } = user;
  const isSent = email !== null && linkMail.canSend && (await messageLimits.mayMail(email, log));
  if (!isSent) return { invitation_sent: false, invitation_link: link };
  background.run("[INVITATION]", () => linkMail.send("invitation", user, link), log);
  return { invitation_sent: true };
}

export interface InvitationAcceptance extends AccountRevocation, Pick<Invitations, "links"> {
  readonly database: Database;
  readonly passwords: Passwords;
  readonly passwordRules: PasswordRules;
}

/**
 * Sets the first password of the invited account and verifies its address. Removes what an attacker can have
 * left in the account. Returns the row from before. Errors: `INVALID_LINK`, also for an inactive account.
 */
export async function acceptInvitation(
  services: InvitationAcceptance,
  token: string,
  password: string,
): Promise<UserRow> {
  const { database, links, passwords, passwordRules, now } = services;
  const userId = links?.subjectOfInvitation(token, now()) ?? null;
  if (links === null || userId === null) throw invalidLink();
  const { invitations } = links;
  // A hash is expensive, so an invalid token is refused first.
  const found = await findUser(database, userId);
  if (found === null || !isOpen(found) || !(await invitations.isGood(database, userId, token)))
    throw invalidLink();
  await passwordRules.require(password, "new_password", found);
  const hash = await passwords.hash(password, shareOf({ user_id: userId }, ""));
  return database.transaction(async (transaction) => {
    const user = await lockUser(transaction, userId);
    if (user === null || !isOpen(user) || !(await invitations.consume(transaction, userId, token)))
      throw invalidLink();
    if (!user.isVerified) await takeOver(transaction, services, userId);
    await storePassword(transaction, userId, hash, now());
    await revokeAllTokens(transaction, services.apiKeys, userId);
    await voidPendingChanges(transaction, userId);
    return user;
  });
}

/** An account that has a password by now does not need the link, which would replace it. */
function isOpen({ isActive, password }: UserRow): boolean {
  return isActive && password === null;
}

function invalidLink(): ServiceError {
  return new ServiceError("INVALID_LINK");
}
