import { definePolicy, type FieldRules, type Policy, type PolicyLiteral } from "../../models/access/index.ts";
import { columnsOf, type Model } from "../../models/index.ts";
import type { builtInUsers } from "./users-model.ts";

/** The columns of accounts that joins show, and to whom. Nobody reads another one (decisions, part 7). */
export type UsersPolicy = Pick<Policy, "fields">;

/** Declares which columns of accounts joins show, as `generated/models/users/policy.ts` does. */
export function defineUsersPolicy<M extends Model = typeof builtInUsers>(
  policy: Pick<PolicyLiteral<M>, "fields">,
): UsersPolicy {
  return policy;
}

/** Nobody runs an operation on accounts, and joins read what an app opens and no other column. */
export function wholePolicy(users: Model, opened: UsersPolicy): Policy {
  const fields: Record<string, FieldRules> = {};
  for (const name of columnsOf(users).keys()) fields[name] = { read: [], ...opened.fields[name] };
  return definePolicy({
    fetch: {},
    search: {},
    count: {},
    exists: {},
    create: {},
    update: {},
    upsert: {},
    delete: {},
    destroy: {},
    restore: {},
    fields,
  });
}
