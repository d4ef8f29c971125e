import type { MembershipsHooks } from "../../generated/models/memberships/model.ts";
import { createdIds } from "../created-ids.ts";

/** An invitation is good for one membership. */
export const after_create: MembershipsHooks["after_create"] = async (created, { transaction }) => {
  const joined = transaction("memberships")
    .join("users", "users.id", "memberships.user_id")
    .whereIn("memberships.id", createdIds(created));
  await transaction("invitations")
    .whereIn(["organisation_id", "email"], joined.select("memberships.organisation_id", "users.email"))
    .whereNull("deleted_at")
    .update({ deleted_at: transaction.fn.now() });
};
