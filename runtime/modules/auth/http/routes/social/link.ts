import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { ServiceError } from "../../../../../core/errors/index.ts";
import { lockRecentCaller } from "../../../sessions/recent-sign-in.ts";
import { requireLiveSession } from "../../../sessions/session-rows.ts";
import { sessionIdOf } from "../../../tokens/token-ids.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { recordLink } from "./record-link.ts";

/**
 * `POST /auth/providers/{provider}/link`: begins to link a provider to the caller. The browser that gets the
 * cookie of this response goes to the provider. With a token of a mobile app it links at once. Errors:
 * `PROVIDER_ALREADY_LINKED`, those of a sign-in at the provider, and those of `lockRecentCaller`.
 */
export async function providersLink(
  { id_token: idToken, access_token: accessToken, ...parameters }: AccountBody<"providersLink">,
  call: AccountRequest,
): Promise<AuthAnswer> {
  const { services, caller, conversation } = call;
  const { database, social } = services;
  if (conversation === null) throw new ServiceError("NOT_FOUND", "There is no such provider.");
  // In its own transaction: no connection waits for the provider.
  const owner = await database.transaction(async (transaction) => {
    const { id: userId } = await lockRecentCaller(transaction, services, caller);
    return { userId, sessionId: await requireLiveSession(transaction, userId, sessionIdOf(caller.jti)) };
  });
  if (idToken !== undefined || accessToken !== undefined) {
    const made = await social.linkMobile(conversation, { idToken, accessToken }, owner, call);
    if (made !== null) recordLink(call, conversation, made);
    const data = { provider: conversation.provider.name, linked: true };
    return { message: "provider linked", data };
  }
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) query.set(name, String(value));
  const { location, state, cookie } = await social.begin(conversation, query, call, owner);
  const data = location === null ? { state } : { authorization_url: location.href };
  return { message: "begun", data, signInCookie: cookie };
}
