import { ServiceError } from "../../../../../core/errors/index.ts";
import { lockCaller } from "../../../sessions/caller.ts";
import { endSessions, type SessionChoice, sessionBegun } from "../../../sessions/session-rows.ts";
import { sessionIdOf } from "../../../tokens/token-ids.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { recordOwnAct } from "../../record-event.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/**
 * `DELETE /auth/sessions/{id}`: ends one session of the caller and revokes its access tokens. Errors:
 * `NOT_FOUND`, and those of `lockCaller`.
 */
export async function deleteSession(_: object, call: AccountRequest): Promise<AuthAnswer> {
  const id = call.parameter;
  if (!uuid.test(id)) throw noSuchSession();
  const ended = await end(call, { only: id, except: null });
  return answer(ended, id === sessionIdOf(call.caller.jti));
}

/** `DELETE /auth/sessions`: ends all other sessions of the caller. Errors: those of `lockCaller`. */
export async function deleteSessions(_: object, call: AccountRequest): Promise<AuthAnswer> {
  return answer(await end(call, { only: null, except: sessionIdOf(call.caller.jti) }), false);
}

async function end(call: AccountRequest, choice: SessionChoice): Promise<number> {
  const { services, caller } = call;
  const { only } = choice;
  const ended = await services.database.transaction(async (transaction) => {
    const user = await lockCaller(transaction, services, caller);
    if (only !== null && (await sessionBegun(transaction, user.id, only)) === null) throw noSuchSession();
    return endSessions(transaction, services.blacklist, user.id, choice);
  });
  if (ended > 0) recordOwnAct(call, "session.ended");
  return ended;
}

function noSuchSession(): ServiceError {
  return new ServiceError("NOT_FOUND", "This session does not exist, or has ended.");
}

function answer(ended: number, isCurrent: boolean): AuthAnswer {
  const data = { ended_sessions: ended };
  return { message: "sessions ended", data, ...(isCurrent && { tokens: null }) };
}
