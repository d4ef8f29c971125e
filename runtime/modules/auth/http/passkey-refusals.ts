import { PasskeyRefusal } from "../passkeys/passkey-refusal.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import { sessionIdOf } from "../tokens/token-ids.ts";
import type { AccountRequest, AuthAnswer } from "./account-route.ts";

/**
 * A handler that takes a passkey. If it refuses one, the log has the reason, and the owner of a passkey that can
 * be a copy gets a mail: the response has one message for all reasons.
 */
export function takesPasskey<Body, Caller extends AccessClaims | null>(
  handler: (body: Body, call: AccountRequest<Caller>) => Promise<AuthAnswer>,
): (body: Body, call: AccountRequest<Caller>) => Promise<AuthAnswer> {
  return async (body, call) => {
    try {
      return await handler(body, call);
    } catch (error) {
      if (error instanceof PasskeyRefusal) record(error, call);
      throw error;
    }
  };
}

function record(
  { reason, userId, copiedFrom }: PasskeyRefusal,
  { services, caller, address, device, log }: AccountRequest<AccessClaims | null>,
): void {
  log.warn({ reason }, "a passkey was refused");
  if (copiedFrom !== null) services.notices.tell("passkey.counter", copiedFrom, { device, log });
  if (userId === null) return;
  const session_id = caller === null ? null : sessionIdOf(caller.jti);
  const actor = { actor: "user", actor_id: caller?.sub ?? null, session_id } as const;
  const event = copiedFrom === null ? "passkey.refused" : "passkey.counter";
  services.events.record({ event, user_id: userId, ...actor, address }, log);
}
