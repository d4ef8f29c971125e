import { classifyDatabaseError } from "../../../core/database/index.ts";
import { invalid, refuseProblems } from "../../../core/errors/index.ts";
import type { AnyAuthHooks } from "../../../hooks/index.ts";
import { shareOf } from "../../../models/access/index.ts";
import type { RecordSchema } from "../../../models/index.ts";
import { recordProblems } from "../../../models/validation/index.ts";
import type { ApiKeys } from "../api-keys/api-keys.ts";
import { authHook } from "../auth-hook.ts";
import type { LinkMail } from "../links/link-mail.ts";
import {
  type AccessRevocation,
  revokeAccessTokens,
  revokeInvitations,
  signOutEverywhere,
} from "../sessions/revocation.ts";
import type { AppColumns } from "../users/app-columns.ts";
import { requireEmail, requireLine } from "../users/contact.ts";
import { emailTaken, findUserByEmail, storeAccount, type UserRow } from "../users/users-table.ts";
import { requireAdministratorWithout } from "./last-administrator.ts";
import { requireKnownRole } from "./roles.ts";
import type { UserAct } from "./user-act.ts";

export interface UserUpdates extends AccessRevocation {
  readonly hooks: AnyAuthHooks;
  readonly columns: AppColumns;
  readonly roles: ReadonlySet<string>;
  readonly apiKeys: Pick<ApiKeys, "refresh">;
  readonly linkMail: Pick<LinkMail, "reaches">;
}

/** The new values of an account, and those of columns of the app by name. A missing one stays. */
export interface UserChanges {
  readonly role?: string | undefined;
  readonly is_active?: boolean | undefined;
  readonly is_verified?: boolean | undefined;
  readonly email?: string | undefined;
  readonly first_name?: string | null | undefined;
  readonly last_name?: string | null | undefined;
}

const names = ["role", "is_active", "is_verified", "email", "first_name", "last_name"] as const;

/** An account after its change. */
export interface UpdatedUser {
  readonly user: UserRow;
  /** The names of the changed fields for an event; of the role also the former one. */
  readonly fields: readonly string[];
}

/**
 * Changes an account, and ends what the change must end at once. Returns null if nothing differs. `sent` has
 * passed `requireValidChanges`. Errors: `VALIDATION_ERROR`, `EMAIL_ALREADY_EXISTS`, `LAST_ADMINISTRATOR`,
 * `AUTH_UNAVAILABLE`, those of hooks, and `PERMISSION_DENIED` for a role above the rank or a column that the
 * administrator cannot write.
 */
export async function updateUser(
  services: UserUpdates,
  act: UserAct,
  sent: UserChanges,
): Promise<UpdatedUser | null> {
  const { columns } = services;
  const { transaction, origin, target, principal } = act;
  const { before_update_account: before, after_update_account: after } = services.hooks;
  if (sent.role !== undefined) act.requireRankFor(sent.role);
  columns.requireWritable(sent, principal.role);
  const user_id = Number(target.id);
  const asked = { ...columns.valuesIn(sent), ...differences(target, sent) };
  if (Object.keys(asked).length === 0) return null;
  const update = { user_id, changes: { ...asked } };
  const { changes: given } = await authHook(origin, before, update, transaction, principal);
  const { added, others } = columns.split(given);
  const changes = differences(target, requireHooked(services, others));
  if (Object.keys({ ...added, ...changes }).length === 0) return null;
  const changed = withChanges(target, changes);
  await requireAdministratorWithout(transaction, target, changed);
  if (changes.email !== undefined && (await findUserByEmail(transaction, changes.email)) !== null)
    throw emailTaken();
  await revoke(services, act, changes);
  await storeAccount(transaction, changed).catch(orTaken);
  const written = await columns.write(
    transaction,
    target.id,
    added,
    shareOf(principal, origin.address ?? ""),
  );
  await authHook(origin, after, { user_id, changes: { ...written, ...changes } }, transaction, principal);
  return { user: changed, fields: [...changedFields(target, changed), ...Object.keys(written)] };
}

/** Checks the changes before an act: 400 `VALIDATION_ERROR`. */
export function requireValidChanges({ roles, linkMail }: UserUpdates, sent: UserChanges): void {
  if (sent.role !== undefined) requireKnownRole(sent.role, roles);
  if (sent.email === undefined) return;
  if (!linkMail.reaches(sent.email))
    throw invalid([{ field: "email", message: "is not an address that can receive mails" }]);
  if (sent.is_verified === true)
    throw invalid([{ field: "is_verified", message: "cannot be true together with a new e-mail" }]);
}

const hookKeys: RecordSchema = {
  properties: {
    role: { type: "string", minLength: 1 },
    is_active: { type: "boolean" },
    is_verified: { type: "boolean" },
    email: { type: "string" },
    first_name: { type: ["string", "null"], maxLength: 255 },
    last_name: { type: ["string", "null"], maxLength: 255 },
  },
};

/** The changes that a hook returned, checked as those of a request. */
function requireHooked({ roles }: UserUpdates, given: Readonly<Record<string, unknown>>): UserChanges {
  refuseProblems(recordProblems(hookKeys, given, "complete"));
  const changes: UserChanges = given;
  const { role, email } = changes;
  if (role !== undefined) requireKnownRole(role, roles);
  for (const name of ["first_name", "last_name"] as const) {
    const text = changes[name];
    if (text != null) requireLine(text, name);
  }
  return email === undefined ? changes : { ...changes, email: requireEmail(email) };
}

/** The account as the API names its columns. */
function columnsOf({ role, isActive, isVerified, email, firstName, lastName }: UserRow) {
  return {
    role,
    is_active: isActive,
    is_verified: isVerified,
    email,
    first_name: firstName,
    last_name: lastName,
  };
}

function differences(user: UserRow, sent: UserChanges): UserChanges {
  const present = columnsOf(user);
  const entries = names.flatMap((name) => {
    const value = sent[name];
    return value === undefined || value === present[name] ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries);
}

/** A new address is never verified. */
function withChanges(user: UserRow, changes: UserChanges): UserRow {
  const { first_name: first, last_name: last, email } = changes;
  return {
    ...user,
    role: changes.role ?? user.role,
    isActive: changes.is_active ?? user.isActive,
    isVerified: email === undefined && (changes.is_verified ?? user.isVerified),
    email: email ?? user.email,
    firstName: first === undefined ? user.firstName : first,
    lastName: last === undefined ? user.lastName : last,
  };
}

/** Ends sessions, or only access tokens: they have the old role, and a refresh gets the new one. */
async function revoke(
  services: UserUpdates,
  { transaction, target }: UserAct,
  { role, is_active, email }: UserChanges,
): Promise<void> {
  if (is_active === false || email !== undefined) await signOutEverywhere(transaction, services, target.id);
  else if (role !== undefined) await revokeAccessTokens(transaction, services, target.id);
  else return;
  // The link of an invitation was mailed to the old address.
  if (email !== undefined) await revokeInvitations(transaction, target.id);
  await services.apiKeys.refresh(transaction, target.id);
}

/** Another account can have taken the address at the same moment. */
function orTaken(error: unknown): never {
  throw classifyDatabaseError(error)?.kind === "unique" ? emailTaken() : error;
}

function changedFields(before: UserRow, after: UserRow): readonly string[] {
  const [was, is] = [columnsOf(before), columnsOf(after)];
  return names
    .filter((name) => was[name] !== is[name])
    .map((name) => (name === "role" ? `role from ${was.role} to ${is.role}` : name));
}
