import { ServiceError } from "../../../../../core/errors/index.ts";
import { lockRecentCaller } from "../../../sessions/recent-sign-in.ts";
import { revokeWebAuthTokens } from "../../../sessions/revocation.ts";
import { linkedProviders, removeLink } from "../../../social/index.ts";
import { requireWay, signInWays } from "../../../users/sign-in-ways.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { recordOwnAct } from "../../record-event.ts";

/** `GET /auth/providers/linked`: the providers that are linked to the caller. */
export async function providersLinked(_: null, { services, caller }: AccountRequest): Promise<AuthAnswer> {
  const rows = await linkedProviders(services.database, caller.sub);
  const providers = rows.map(({ provider, ...row }) => ({
    provider,
    title: services.social.titleOf(provider),
    ...row,
  }));
  return { message: "linked providers", data: { providers } };
}

/**
 * `DELETE /auth/providers/{provider}`: unlinks a provider, unless it is the last way to sign in. Sessions stay.
 * Errors: `NOT_FOUND`, `LAST_SIGN_IN_METHOD`, and those of `lockRecentCaller`.
 */
export async function deleteProvider(_: object, call: AccountRequest): Promise<AuthAnswer> {
  // A provider that is not declared any more can be unlinked.
  const { services, caller, parameter: provider } = call;
  const user = await services.database.transaction(async (transaction) => {
    const user = await lockRecentCaller(transaction, services, caller);
    if (!(await removeLink(transaction, user.id, provider)))
      throw new ServiceError("NOT_FOUND", "This provider is not linked.");
    requireWay(await signInWays(transaction, services.ways, user));
    // A sign-in that ended on a page, and has no session yet.
    await revokeWebAuthTokens(transaction, user.id);
    return user;
  });
  recordOwnAct(call, "provider.unlinked");
  services.notices.tell("provider.unlinked", user, call, services.social.titleOf(provider));
  return { message: "provider unlinked", data: {} };
}
