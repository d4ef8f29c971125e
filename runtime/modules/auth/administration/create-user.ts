import { registeredRole } from "../../../../vocabulary/accounts/role-names.ts";
import type { Database } from "../../../core/database/index.ts";
import { invalid } from "../../../core/errors/index.ts";
import type { LinkMail } from "../links/link-mail.ts";
import type { Registrations } from "../registration/registrations.ts";
import { lockRecentCaller, type RecentChecks } from "../sessions/recent-sign-in.ts";
import type { AccessClaims } from "../tokens/access-token.ts";
import type { AppColumns } from "../users/app-columns.ts";
import { asPrincipal, loginUser, type UserRow } from "../users/users-table.ts";
import { type Invitations, invitationLink, requireLinks } from "./invitations.ts";
import { requireAdministrator, requireRankFor } from "./ranks.ts";
import { requireKnownRole } from "./roles.ts";
import type { StaffOrigin } from "./user-act.ts";

export interface UserCreation extends RecentChecks, Pick<Invitations, "links" | "now"> {
  readonly database: Database;
  readonly registrations: Registrations;
  readonly columns: AppColumns;
  readonly roles: ReadonlySet<string>;
  readonly linkMail: Pick<LinkMail, "reaches">;
}

/** A new account without a password, and the values of columns of the app by name. */
export interface UserToCreate {
  /** Canonical. */
  readonly email: string;
  readonly role?: string | undefined;
  readonly first_name?: string | null | undefined;
  readonly last_name?: string | null | undefined;
}

/**
 * Creates an active account without a password, and the link of its invitation. Errors: `VALIDATION_ERROR`,
 * `EMAIL_ALREADY_EXISTS`, `PERMISSION_DENIED` for a role above the rank or a column that the caller cannot
 * write, 503 `HTTP_ERROR` if links cannot be signed, and those of `lockRecentCaller` and of hooks.
 */
export async function createUser(
  services: UserCreation,
  origin: StaffOrigin & { readonly caller: AccessClaims },
  sent: UserToCreate,
): Promise<{ readonly user: UserRow; readonly link: string }> {
  const { columns, database, registrations, roles, linkMail } = services;
  const { email, role = registeredRole, first_name = null, last_name = null } = sent;
  requireKnownRole(role, roles);
  if (!linkMail.reaches(email))
    throw invalid([{ field: "email", message: "is not an address that can receive mails" }]);
  return database.transaction(async (transaction) => {
    const actor = await lockRecentCaller(transaction, services, origin.caller);
    requireAdministrator(actor);
    requireRankFor(actor, role);
    columns.requireWritable(sent, actor.role);
    requireLinks(services);
    const principal = asPrincipal(actor);
    const identity = { email, password: null, phone_number: null };
    const registration = { ...columns.valuesIn(sent), ...identity, first_name, last_name };
    const staff = { principal, role };
    const user = await registrations.register(transaction, origin, registration, undefined, staff);
    const data = { user: loginUser(user), verification_email_sent: false };
    await registrations.afterRegister(transaction, origin, user, data, principal);
    return { user, link: await invitationLink(transaction, services, user.id) };
  });
}
