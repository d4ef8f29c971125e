import { invitationLink, requireInvitable, sendInvitation } from "../../../administration/invitations.ts";
import { actOnUser, recordStaffAct } from "../../../administration/user-act.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";

/**
 * `POST /admin/users/{id}/invite`: mails another link, and voids the older one. Errors: `VALIDATION_ERROR`
 * for an account that needs no invitation; 503 `HTTP_ERROR` if links cannot be signed; those of `actOnUser`.
 */
export async function inviteUser(_: object, call: AccountRequest): Promise<AuthAnswer> {
  const { services, log } = call;
  const { target, result: link } = await actOnUser(services, call, call.parameter, async (act) => {
    await requireInvitable(act.transaction, services, act.target);
    return invitationLink(act.transaction, services, act.target.id);
  });
  recordStaffAct(services, call, "user.invited", target.id);
  return { message: "user invited", data: await sendInvitation(services, target, link, log) };
}
