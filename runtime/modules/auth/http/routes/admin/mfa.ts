import { resetMfa } from "../../../administration/reset-mfa.ts";
import { actOnUser, recordStaffAct } from "../../../administration/user-act.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";

/** `DELETE /admin/users/{id}/mfa`: removes second factor and passkeys. Errors: those of `actOnUser`. */
export async function deleteUserMfa(_: object, call: AccountRequest): Promise<AuthAnswer> {
  const { services, log } = call;
  const { target, result: data } = await actOnUser(services, call, call.parameter, (act) =>
    resetMfa(services, act),
  );
  recordStaffAct(services, call, "user.mfa_reset", target.id);
  services.notices.tell("user.mfa_reset", target, { device: "an administrator", log });
  return { message: "second factor and passkeys removed", data };
}
