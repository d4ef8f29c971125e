import type { OrganisationsHooks } from "../../generated/models/organisations/model.ts";

/** Makes the caller the first owner, because no rule lets callers add themselves. */
export const after_create: OrganisationsHooks["after_create"] = async (_, { after, db, principal }) => {
  const owner = { user_id: Number(principal.user_id), role: "owner" } as const;
  await db.memberships.create((await after()).map(({ id }) => ({ organisation_id: id, ...owner })));
};
