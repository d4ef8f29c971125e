import type { MembershipsHooks } from "../../generated/models/memberships/model.ts";

/** Soft-deletes the invitation, which is valid for one membership. */
export const after_create: MembershipsHooks["after_create"] = async (_, { after, sql }) => {
  const joined = (await after()).map(({ id }) => id);
  await sql`
    update invitations set deleted_at = now()
    from memberships join users on users.id = memberships.user_id
    where memberships.id = any(${joined}) and invitations.organisation_id = memberships.organisation_id
      and invitations.email = users.email and invitations.deleted_at is null`;
};
