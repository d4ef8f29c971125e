import type { InvitationsHooks } from "../../generated/models/invitations/model.ts";

const aWeek = 7 * 24 * 3_600_000;

export const fills = { before_create: ["expires_at"] } as const;

export const before_create: InvitationsHooks["before_create"] = (invitation) => {
  invitation.expires_at ??= new Date(Date.now() + aWeek).toISOString();
};

/** A job sends the mail after the commit, so a rollback sends no invitation. */
export const after_create: InvitationsHooks["after_create"] = async (_, { after, db, mail }) => {
  for (const { id, email, organisation_id } of await after()) {
    const organisation = await db.organisations.get(organisation_id);
    if (organisation === null) continue;
    await mail.send({ to: email, template: "invited", data: { id, organisation: organisation.name } });
  }
};
