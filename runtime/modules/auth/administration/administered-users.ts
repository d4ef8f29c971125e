import { administratorRoles } from "../../../../vocabulary/accounts/role-names.ts";
import { isUserField, type UserFieldName } from "../../../../vocabulary/accounts/user-fields.ts";
import { weakMemo } from "../../../core/concurrency/index.ts";
import type { ModelEntry } from "../../../data/operations/index.ts";
import { definePolicy, type RoleRules } from "../../../models/access/index.ts";
import type { Model } from "../../../models/index.ts";
import type { Accounts } from "../registration/registrations.ts";

/** The fields of `users` that no route shows. */
const hidden: readonly UserFieldName[] = ["password", "credentials_changed_at"];
/** Where `search_term` looks. */
const searched: readonly UserFieldName[] = ["email", "first_name", "last_name", "phone_number"];

const all: RoleRules<true> = Object.fromEntries(administratorRoles.map((role) => [role, true] as const));

/**
 * The accounts as administrators read them: a model without the hidden fields, so that a filter on one of them is
 * an unknown field. Hooks of `users` do not run.
 */
export const administeredUsers = weakMemo(({ users, validators }: Accounts): ModelEntry => {
  const model = modelOf(users);
  const none = { create: {}, update: {}, upsert: {}, delete: {}, destroy: {}, restore: {} };
  const policy = definePolicy({ fetch: all, search: all, count: {}, exists: {}, ...none, fields: {} });
  return { model, policy, validators, hooks: {} };
});

function modelOf(users: Model): Model {
  const shown = Object.entries(users.fields).flatMap(([name, field]) =>
    isUserField(name) && !hidden.includes(name)
      ? [[name, searched.includes(name) ? { ...field, searchable: true as const } : field] as const]
      : [],
  );
  return { ...users, maxLimit: 1000, fields: Object.fromEntries(shown), relations: {} };
}
