import { administratorRoles, selfRole } from "../../../../vocabulary/accounts/role-names.ts";
import { isUserField, type UserFieldName } from "../../../../vocabulary/accounts/user-fields.ts";
import { isRuntimeColumn } from "../../../../vocabulary/fields/runtime-columns.ts";
import { weakMemo } from "../../../core/concurrency/index.ts";
import type { ModelEntry } from "../../../data/operations/index.ts";
import { definePolicy, type FieldRules, type RoleRules } from "../../../models/access/index.ts";
import type { Model } from "../../../models/index.ts";
import type { Accounts } from "../registration/registrations.ts";

/** The fields of `users` that no route shows. */
const hidden: readonly string[] = ["password", "credentials_changed_at"] satisfies UserFieldName[];
/** Where `search_term` looks. */
const searched: readonly string[] = [
  "email",
  "first_name",
  "last_name",
  "phone_number",
] satisfies UserFieldName[];

const all: RoleRules<true> = Object.fromEntries(administratorRoles.map((role) => [role, true] as const));

/**
 * The accounts as administrators read them: a model without the hidden fields, so that a filter on one of
 * them is an unknown field. Hooks of `users` do not run.
 */
export const administeredUsers = weakMemo(({ users, policy: rules, validators }: Accounts): ModelEntry => {
  const model = modelOf(users);
  const added = Object.keys(model.fields).filter((name) => !isUserField(name));
  const fields = Object.fromEntries(added.map((name) => [name, { read: readersOf(rules.fields[name]) }]));
  const none = { create: {}, update: {}, upsert: {}, delete: {}, destroy: {}, restore: {} };
  const policy = definePolicy({ fetch: all, search: all, count: {}, exists: {}, ...none, fields });
  return { model, policy, validators, hooks: {} };
});

/** The roles that read a column of the app in accounts of others. Without rules, none does. */
function readersOf(rules: FieldRules | undefined): string[] {
  return (rules?.read ?? []).filter((role) => role !== selfRole);
}

function modelOf(users: Model): Model {
  const shown = Object.entries(users.fields).flatMap(([name, { searchable: _, ...field }]) => {
    const isHidden = hidden.includes(name) || field.kind === "password" || isRuntimeColumn(name);
    if (isHidden) return [];
    return [[name, { ...field, ...(searched.includes(name) && { searchable: true as const }) }] as const];
  });
  return { ...users, maxLimit: 1000, fields: Object.fromEntries(shown), relations: {} };
}
