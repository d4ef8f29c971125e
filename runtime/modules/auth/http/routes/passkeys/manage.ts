import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { ServiceError } from "../../../../../core/errors/index.ts";
import { listPasskeys, removePasskey, renamePasskey } from "../../../passkeys/passkey-rows.ts";
import { lockCaller } from "../../../sessions/caller.ts";
import { lockRecentCaller } from "../../../sessions/recent-sign-in.ts";
import { requireWay, signInWays } from "../../../users/sign-in-ways.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { recordOwnAct } from "../../record-event.ts";

/** `GET /auth/passkeys`: the caller's passkeys, oldest first. */
export async function getPasskeys(_: null, { services, caller }: AccountRequest): Promise<AuthAnswer> {
  const passkeys = await listPasskeys(services.database, caller.sub);
  return { message: "passkeys", data: { passkeys } };
}

/** `PATCH /auth/passkeys/{id}`: renames a passkey. Errors: `NOT_FOUND`, and those of `lockCaller`. */
export async function patchPasskey(
  { name }: AccountBody<"patchPasskey">,
  call: AccountRequest,
): Promise<AuthAnswer> {
  const { services, caller, parameter } = call;
  const renamed = await services.database.transaction(async (transaction) => {
    const user = await lockCaller(transaction, services, caller);
    return renamePasskey(transaction, parameter, user.id, name);
  });
  if (renamed === null) throw noSuchPasskey();
  recordOwnAct(call, "passkey.renamed", ["name"]);
  return { message: "passkey renamed", data: renamed };
}

/**
 * `DELETE /auth/passkeys/{id}`: deletes a passkey, unless it is the last way to sign in. Errors: `NOT_FOUND`,
 * `LAST_SIGN_IN_METHOD`, and those of `lockRecentCaller`.
 */
export async function deletePasskey(_: object, call: AccountRequest): Promise<AuthAnswer> {
  const { services, caller, parameter } = call;
  const user = await services.database.transaction(async (transaction) => {
    const user = await lockRecentCaller(transaction, services, caller);
    if (!(await removePasskey(transaction, parameter, user.id))) throw noSuchPasskey();
    requireWay(await signInWays(transaction, services.ways, user));
    return user;
  });
  recordOwnAct(call, "passkey.removed");
  services.notices.tell("passkey.removed", user, call);
  return { message: "passkey deleted", data: {} };
}

function noSuchPasskey(): ServiceError {
  return new ServiceError("NOT_FOUND", "This passkey does not exist.");
}
