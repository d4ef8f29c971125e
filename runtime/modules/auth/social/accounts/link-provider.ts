import type { Transaction } from "../../../../core/database/index.ts";
import { ServiceError } from "../../../../core/errors/index.ts";
import type { SealedTexts } from "../../crypto/hash.ts";
import { requireActive } from "../../sessions/caller.ts";
import { requireLiveSession } from "../../sessions/session-rows.ts";
import { lockUser, noSuchCaller, type UserRow } from "../../users/users-table.ts";
import type { LinkOwner } from "../state/sign-in-state.ts";
import {
  findLinked,
  insertLink,
  linkedProviders,
  renewLink,
  type SocialVisitor,
  serialize,
  turnOf,
} from "./social-rows.ts";

/** A link that was made, or null if it was there. */
export type NewLink = (LinkOwner & { readonly user: UserRow }) | null;

/**
 * Links an account at a provider to a user, whose e-mail and names stay. The user can have one account of each
 * provider. Errors: `NOT_FOUND`; `TOKEN_REVOKED` for an ended session; `ACCOUNT_INACTIVE`;
 * `PROVIDER_ALREADY_LINKED`.
 */
export async function linkProvider(
  transaction: Transaction,
  sealed: SealedTexts,
  { userId, sessionId }: LinkOwner,
  visitor: SocialVisitor,
): Promise<NewLink> {
  await serialize(transaction, turnOf(visitor));
  const user = await lockUser(transaction, userId);
  if (user === null) throw noSuchCaller();
  await requireLiveSession(transaction, userId, sessionId);
  requireActive(user);
  const visit = { sealed, isSignIn: false };
  const owner = await findLinked(transaction, visitor);
  if (owner === userId) {
    await renewLink(transaction, visitor, visit);
    return null;
  }
  if (owner !== null) throw new ServiceError("PROVIDER_ALREADY_LINKED");
  const linked = await linkedProviders(transaction, userId);
  if (linked.some(({ provider }) => provider === visitor.provider)) {
    const message = "Another account of this provider is linked to you: unlink it first.";
    throw new ServiceError("PROVIDER_ALREADY_LINKED", message);
  }
  await insertLink(transaction, userId, visitor, visit);
  return { userId, sessionId, user };
}
