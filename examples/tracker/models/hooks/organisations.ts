import type { OrganisationsHooks } from "../../generated/models/organisations/model.ts";
import { createdIds } from "../created-ids.ts";

/** Whoever makes an organisation is its first owner: no rule lets them add themselves. */
export const after_create: OrganisationsHooks["after_create"] = async (created, context) => {
  const { principal, transaction } = context;
  const owner = { user_id: principal.user_id, role: "owner" };
  const memberships = createdIds(created).map((organisation_id) => ({ organisation_id, ...owner }));
  await transaction("memberships").insert(memberships);
};
