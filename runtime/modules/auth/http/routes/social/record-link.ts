import type { Conversation, NewLink } from "../../../social/index.ts";
import type { AccountRequest } from "../../account-route.ts";

/** Records that a user linked a provider, and tells the owner of the account. Call it after the commit. */
export function recordLink(
  { services, address, device, log }: Pick<AccountRequest, "services" | "address" | "device" | "log">,
  { provider: { title } }: Conversation,
  { userId: user_id, sessionId: session_id, user }: NonNullable<NewLink>,
): void {
  const actor = { actor: "user", actor_id: user_id, session_id } as const;
  services.events.record({ event: "provider.linked", user_id, ...actor, address }, log);
  services.notices.tell("provider.linked", user, { device, log }, title);
}
