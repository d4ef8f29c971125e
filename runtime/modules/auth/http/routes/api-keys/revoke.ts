import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { invalid, ServiceError } from "../../../../../core/errors/index.ts";
import { isAdministrator } from "../../../../../models/access/index.ts";
import type { ApiKeyChoice } from "../../../api-keys/api-keys.ts";
import { isUserId } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";

/**
 * `DELETE /auth/api-keys/revoke`: deletes one key, by its id or its prefix: an administrator any, other
 * callers their own. Errors: `NOT_FOUND`, also for another user's key; 400 if several keys have the prefix.
 */
export async function revokeApiKey(
  sent: AccountBody<"revokeApiKey">,
  { services, caller }: AccountRequest,
): Promise<AuthAnswer> {
  const choice = choiceOf(sent);
  const owner = isAdministrator(caller.role) ? null : caller.sub;
  const outcome =
    owner === null || isUserId(owner) ? await services.apiKeys.revoke(choice, owner) : "unknown";
  if (outcome === "unknown") throw new ServiceError("NOT_FOUND", "There is no such API key.");
  if (outcome === "ambiguous")
    throw invalid([{ field: "key_prefix", message: "several keys have this prefix: use the id" }]);
  return { message: "API key revoked", data: {} };
}

function choiceOf({ id, key_prefix }: AccountBody<"revokeApiKey">): ApiKeyChoice {
  if (id !== undefined && key_prefix === undefined) return { id };
  if (key_prefix !== undefined && id === undefined) return { key_prefix };
  throw invalid([{ field: "id", message: "either id or key_prefix is needed, and not both" }]);
}
