import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { createUser } from "../../../administration/create-user.ts";
import { sendInvitation } from "../../../administration/invitations.ts";
import { readUser } from "../../../administration/list-users.ts";
import { recordStaffAct } from "../../../administration/user-act.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { callerReading } from "./reader.ts";

/** `POST /admin/users`: creates an account and invites its owner. Errors: those of `createUser`. */
export async function postUser(
  { send_invitation: sends = true, ...sent }: AccountBody<"createUser">,
  call: AccountRequest,
): Promise<AuthAnswer> {
  const { services, log } = call;
  const { user, link } = await createUser(services, call, sent);
  recordStaffAct(services, call, "user.created", user.id);
  const invitation = sends
    ? await sendInvitation(services, user, link, log)
    : { invitation_sent: false, invitation_link: link };
  const row = await readUser(services, callerReading(call), user.id);
  return { message: "user created", data: { user: row, ...invitation } };
}
