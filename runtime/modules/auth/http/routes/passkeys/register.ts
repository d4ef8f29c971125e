import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import type { Transaction } from "../../../../../core/database/index.ts";
import { ServiceError } from "../../../../../core/errors/index.ts";
import { orRefusal, PasskeyRefusal } from "../../../passkeys/passkey-refusal.ts";
import type { ListedPasskey } from "../../../passkeys/passkey-rows.ts";
import { inTransaction, lockCaller } from "../../../sessions/caller.ts";
import { lockRecentCaller } from "../../../sessions/recent-sign-in.ts";
import { requireLiveSession } from "../../../sessions/session-rows.ts";
import { sessionIdOf } from "../../../tokens/token-ids.ts";
import type { UserRow } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { recordOwnAct } from "../../record-event.ts";
import { passkeysOf } from "./passkeys-of.ts";

/**
 * `POST /auth/passkeys/register-options`: options for the browser, which makes a passkey. Errors: 400 for too
 * many passkeys, and those of `lockRecentCaller`.
 */
export async function passkeysRegisterOptions(
  _: object,
  { services, caller }: AccountRequest,
): Promise<AuthAnswer> {
  const options = await services.database.transaction(async (transaction) => {
    const user = await lockRecentCaller(transaction, services, caller);
    const sessionId = await requireLiveSession(transaction, user.id, sessionIdOf(caller.jti));
    return passkeysOf(services).registrationOptions(transaction, { user, sessionId });
  });
  return { message: "options for the browser", data: { options } };
}

interface Registered {
  readonly user: UserRow;
  readonly made: ListedPasskey;
}

/**
 * `POST /auth/passkeys/register`: stores the passkey that the browser made. The session must be the one that
 * asked for the options; it need not be recent any more. Errors: `PASSKEY_FAILED`, `TOKEN_REVOKED` for an ended
 * session, 400 for too many passkeys, and those of `lockCaller`.
 */
export async function passkeysRegister(
  { response, name = "Passkey" }: AccountBody<"passkeysRegister">,
  call: AccountRequest,
): Promise<AuthAnswer> {
  const { services, caller } = call;
  const register = async (transaction: Transaction): Promise<Registered | ServiceError> => {
    const user = await lockCaller(transaction, services, caller);
    const sessionId = await requireLiveSession(transaction, user.id, sessionIdOf(caller.jti));
    const session = { user, sessionId };
    const made = await orRefusal(() =>
      passkeysOf(services).register(transaction, session, { response, name }),
    );
    return made instanceof ServiceError ? ofUser(made, user) : { user, made };
  };
  const { user, made } = await inTransaction(services.database, register);
  recordOwnAct(call, "passkey.added");
  services.notices.tell("passkey.added", user, call);
  return { message: "passkey added", data: made };
}

function ofUser({ reason }: PasskeyRefusal, { id: userId }: UserRow): PasskeyRefusal {
  return new PasskeyRefusal(reason, { userId });
}
