import type { AccountEventName } from "../events/account-events.ts";
import { sessionIdOf } from "../tokens/token-ids.ts";
import type { AccountRequest } from "./account-route.ts";

/** Records an act of the caller on the own account. Call it after the commit. */
export function recordOwnAct(
  { services, caller, address, log }: AccountRequest,
  event: AccountEventName,
  changes: readonly string[] = [],
): void {
  const { sub, jti } = caller;
  const actor = { actor: "user", actor_id: sub, session_id: sessionIdOf(jti) } as const;
  services.events.record({ event, user_id: sub, ...actor, address, changes }, log);
}

/** Records an act of a user who proved the identity by a link. Call it after the commit. */
export function recordActOfLink(
  { services, address, log }: AccountRequest<null>,
  event: AccountEventName,
  userId: string,
  changes: readonly string[] = [],
): void {
  const actor = { actor: "link", actor_id: userId, session_id: null } as const;
  services.events.record({ event, user_id: userId, ...actor, address, changes }, log);
}
