import type { AccountServices } from "../account-services.ts";
import type { VerificationOutcome } from "../http/pages/index.ts";
import { findUser, lockUser, markVerified } from "./users-table.ts";

/** What came of opening a verification link: it counts for that user, and for the address that it was mailed to. */
export async function verifyEmail(services: AccountServices, token: string): Promise<VerificationOutcome> {
  const { database, links, now } = services;
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
  { database, links, now }: AccountServices,
  token: string,
): Promise<VerificationOutcome> {
  const claims = links?.readVerification(token, now()) ?? null;
  const user = claims === null ? null : await findUser(database, claims.sub);
  if (claims === null || user === null || user.email !== claims.email) return "invalid";
  return user.isVerified ? "already-verified" : "verified";
}
