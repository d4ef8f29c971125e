import type { AccountBody } from "../../../../../../vocabulary/accounts/account-bodies.ts";
import { requireValidChanges, type UpdatedUser, updateUser } from "../../../administration/update-user.ts";
import { actOnUser, recordStaffAct } from "../../../administration/user-act.ts";
import type { UserRow } from "../../../users/users-table.ts";
import type { AccountRequest, AuthAnswer } from "../../account-route.ts";
import { callerReading } from "./reader.ts";
import { userWithDetails } from "./show.ts";

/**
 * `PATCH /admin/users/{id}`: changes an account. Answers as `GET`. Errors: those of `requireValidChanges`,
 * `actOnUser` and `updateUser`.
 */
export async function patchUser(sent: AccountBody<"updateUser">, call: AccountRequest): Promise<AuthAnswer> {
  const { services } = call;
  requireValidChanges(services, sent);
  const { target, result: changed } = await actOnUser(services, call, call.parameter, (act) =>
    updateUser(services, act, sent),
  );
  if (changed !== null) tell(call, target, changed);
  return { message: "user updated", data: await userWithDetails(services, callerReading(call), target.id) };
}

function tell(call: AccountRequest, before: UserRow, { user: after, fields }: UpdatedUser): void {
  const { services, log } = call;
  recordStaffAct(services, call, "user.updated", before.id, fields);
  const origin = { device: "an administrator", log } as const;
  if (before.email !== after.email) {
    services.notices.tell("email.changed", before, origin);
    services.background.run("[VERIFICATION]", () => mailVerification(call, after), log);
  }
  if (before.role !== after.role) services.notices.tell("user.role", before, origin);
}

/** Mails the link that verifies the corrected address. */
async function mailVerification({ services, log }: AccountRequest, user: UserRow): Promise<void> {
  const { links, linkMail, messageLimits, now } = services;
  if (links === null || user.email === null || linkMail.obstacle !== null) return;
  if (!(await messageLimits.mayMail(user.email, log))) return;
  await linkMail.send("verify-email", user, links.verificationUrl(user.id, user.email, now()));
}
