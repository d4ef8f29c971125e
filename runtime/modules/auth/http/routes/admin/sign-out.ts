import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { signOutUser } from "../../../administration/sign-out-user.ts";
import { actOnUser, recordStaffAct } from "../../../administration/user-act.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";

/** `POST /admin/users/{id}/sign-out`: ends all sessions of an account. Errors: those of `actOnUser`. */
export async function postSignOut(
  { api_keys: withKeys = false }: AccountBody<"signOutUser">,
  call: AccountRequest,
): Promise<AuthAnswer> {
  const { services, log } = call;
  const { target, result: data } = await actOnUser(services, call, call.parameter, (act) =>
    signOutUser(services, act, withKeys),
  );
  recordStaffAct(services, call, "user.signed_out", target.id);
  services.notices.tell("user.signed_out", target, { device: "an administrator", log });
  return { message: "user signed out", data };
}
