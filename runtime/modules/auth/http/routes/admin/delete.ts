import { deleteAccount } from "../../../administration/delete-account.ts";
import { actOnUser, recordStaffAct } from "../../../administration/user-act.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";

/** `DELETE /admin/users/{id}`: deletes an account. Errors: those of `actOnUser` and `deleteAccount`. */
export async function deleteUser(_: object, call: AccountRequest): Promise<AuthAnswer> {
  const { services, log } = call;
  const { target } = await actOnUser(services, call, call.parameter, ({ transaction, target, principal }) =>
    deleteAccount(transaction, services, call, target, principal),
  );
  recordStaffAct(services, call, "user.deleted", target.id);
  services.notices.tell("user.deleted", target, { device: "an administrator", log });
  return { message: "user deleted", data: { user_id: Number(target.id) } };
}
