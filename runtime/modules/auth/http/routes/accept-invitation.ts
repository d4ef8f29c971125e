import type { AccountBody } from "../../../../../vocabulary/accounts/account-bodies.ts";
import { sendPage } from "../../../../core/pages/index.ts";
import { acceptInvitation } from "../../administration/invitations.ts";
import { requireConfirmed } from "../../passwords/password-rules.ts";
import type { AccountRequest, AuthAnswer, RouteContext } from "../account-route.ts";
import { acceptInvitationPage } from "../pages/link-pages.ts";
import { recordActOfLink } from "../record-event.ts";

/**
 * `POST /auth/accept-invitation`: sets the first password of the invited account and verifies its address. A
 * refused password does not use the link up. Errors: `VALIDATION_ERROR`, `WEAK_PASSWORD`, `INVALID_LINK`.
 */
export async function postAcceptInvitation(
  sent: AccountBody<"acceptInvitation">,
  call: AccountRequest<null>,
): Promise<AuthAnswer> {
  const { services } = call;
  requireConfirmed(sent);
  await services.passwordRules.require(sent.new_password, "new_password", null);
  const user = await acceptInvitation(services, sent.token, sent.new_password);
  recordActOfLink(call, "invitation.accepted", user.id);
  services.notices.tell("password.set", user, call);
  return { message: "password set", data: {} };
}

/** `GET /auth/accept-invitation?token=…`: the page that the link opens. Only its form sets the password. */
export function getAcceptInvitation({ response }: RouteContext): void {
  sendPage(response, 200, acceptInvitationPage());
}
