import { invalid } from "../../../../../core/errors/index.ts";
import { listApiKeys } from "../../../api-keys/api-keys.ts";
import { isUserId, noSuchUser } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { actingFor } from "../../guards.ts";

/**
 * `GET /auth/api-keys/list`: the keys of the caller, or for administrators of `user_id`, oldest first.
 * Errors: 400 `VALIDATION_ERROR` for `user_id`, `PERMISSION_DENIED`, `NOT_FOUND` for an unknown user.
 */
export async function listOwnApiKeys(
  _: unknown,
  { services, caller, query }: AccountRequest,
): Promise<AuthAnswer> {
  const userId = actingFor(caller, wantedUser(query));
  const data = isUserId(userId) ? await listApiKeys(services.database, userId) : null;
  if (data === null) throw noSuchUser();
  return { message: data.length === 1 ? "1 API key" : `${data.length} API keys`, data };
}

function wantedUser(query: URLSearchParams): string | undefined {
  const [userId, ...more] = query.getAll("user_id");
  if (userId === undefined) return undefined;
  if (more.length > 0 || !isUserId(userId))
    throw invalid([{ field: "user_id", message: "must be the id of one user" }]);
  return userId;
}
