import { defineRoute, ServiceError } from "kirak";

/** The link in the mail leads here. The rules of `memberships` apply, as in `/memberships/create`. */
export default defineRoute({
  method: "POST",
  path: "/invitations/:id/accept",
  access: ["signed_in"],
  params: { type: "object", properties: { id: { type: "integer" } } },
  answer: {
    type: "object",
    properties: { organisation_id: { type: "integer" }, role: { type: "string" } },
    required: ["organisation_id", "role"],
  },
  async handler({ params }, { db, principal, sql }) {
    const [invitation] = await sql<Invitation>`
      select organisation_id, role, deleted_at from invitations where id = ${params.id} and email = ${principal.email}`;
    if (invitation === undefined) throw new ServiceError("NOT_FOUND", "You have no such invitation.");
    const { organisation_id, role, deleted_at } = invitation;
    if (deleted_at !== null) throw new ServiceError("INVITATION_USED");
    const user_id = Number(principal.user_id);
    await db.as("caller").memberships.create({ organisation_id, role, user_id });
    return { organisation_id, role };
  },
});

interface Invitation {
  organisation_id: number;
  role: "admin" | "member";
  deleted_at: string | null;
}
