import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { parseDatetime } from "../../../../../../vocabulary/fields/dates.ts";
import { invalid } from "../../../../../core/errors/index.ts";
import { lockForCaller } from "../../../sessions/caller.ts";
import { noSuchUser } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { actingFor } from "../../guards.ts";

const defaultLifeMs = 365 * 24 * 60 * 60 * 1000;

/**
 * `POST /auth/api-keys/create`: creates a key. Only this answer contains the key itself. Errors: 400
 * `VALIDATION_ERROR` for `expires_at`, `PERMISSION_DENIED`, `NOT_FOUND`, and those of `lockCaller`.
 */
export async function createApiKey(
  sent: AccountBody<"createApiKey">,
  call: AccountRequest,
): Promise<AuthAnswer> {
  const { services, caller } = call;
  const { database, apiKeys, now } = services;
  const userId = actingFor(caller, sent.user_id?.toString());
  const expiresAt = expiryOf(sent.expires_at, now());
  const data = await database.transaction(async (transaction) => {
    // The lock makes a password reset, which deletes all keys, wait for the new key.
    if ((await lockForCaller(transaction, services, caller, userId)) === null) throw noSuchUser();
    return apiKeys.make(transaction, { userId, name: sent.name ?? null, expiresAt });
  });
  return { message: "API key created: it is not shown again", data };
}

function expiryOf(sent: string | undefined, now: number): string {
  if (sent === undefined) return new Date(now + defaultLifeMs).toISOString();
  const expiresAt = parseDatetime(sent);
  if (expiresAt === null)
    throw invalid([{ field: "expires_at", message: "must be an ISO-8601 date or datetime" }]);
  if (Date.parse(expiresAt) <= now)
    throw invalid([{ field: "expires_at", message: "must be in the future" }]);
  return expiresAt;
}
