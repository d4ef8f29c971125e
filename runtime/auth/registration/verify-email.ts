import type { Database } from "../../database/index.ts";
import type { SignedLinks } from "../links/signed-link.ts";
import { findUser, lockUser, markVerified } from "../users/users-table.ts";

/** What verifying an address takes. */
export interface Verification {
  readonly database: Database;
  /** Null where no link can be read. */
  readonly links: SignedLinks | null;
  /** Milliseconds. */
  readonly now: () => number;
}

/** What came of opening a verification link. */
export type VerificationOutcome = "verified" | "already-verified" | "invalid";

/** Verifies an address: the link counts for that user, and for the address that it was mailed to. */
export async function verifyEmail(
  { database, links, now }: Verification,
  token: string,
): Promise<VerificationOutcome> {
  const claims = links?.readVerification(token, now()) ?? null;
  if (claims === null) return "invalid";
  return database.transaction(async (transaction) => {
    const user = await lockUser(transaction, claims.sub);
    if (user === null || user.email !== claims.email) return "invalid";
    if (user.isVerified) return "already-verified";
    await markVerified(transaction, user.id);
    return "verified";
  });
}

/** What would come of it; nothing changes. */
export async function foreseeVerification(
  { database, links, now }: Verification,
  token: string,
): Promise<VerificationOutcome> {
  const claims = links?.readVerification(token, now()) ?? null;
  const user = claims === null ? null : await findUser(database, claims.sub);
  if (claims === null || user === null || user.email !== claims.email) return "invalid";
  return user.isVerified ? "already-verified" : "verified";
}
