import type { Database } from "../../../core/database/index.ts";
import type { SignedLinks } from "../links/signed-link.ts";
import { findUser, lockUser, markVerified, type UserRow } from "../users/users-table.ts";

interface Verification {
  readonly database: Database;
  /** Null without `SERVICE_AUTH_VERIFICATION_KEY`. */
  readonly links: SignedLinks | null;
  /** Milliseconds. */
  readonly now: () => number;
}

/** The result of a verification link. */
export type VerificationOutcome = "verified" | "already-verified" | "invalid";

/** Verifies an e-mail by the token of a link. With `isDryRun`, only returns the result. */
export async function verifyEmail(
  { database, links, now }: Verification,
  token: string,
  isDryRun: boolean,
): Promise<VerificationOutcome> {
  const claims = links?.readVerification(token, now()) ?? null;
  if (claims === null) return "invalid";
  const outcomeFor = (user: UserRow | null) => {
    if (user === null || user.email !== claims.email) return "invalid";
    return user.isVerified ? "already-verified" : "verified";
  };
  if (isDryRun) return outcomeFor(await findUser(database, claims.sub));
  return database.transaction(async (transaction) => {
    const outcome = outcomeFor(await lockUser(transaction, claims.sub));
    if (outcome === "verified") await markVerified(transaction, claims.sub);
    return outcome;
  });
}
