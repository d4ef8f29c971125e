import type pg from "pg";

/** What somebody who writes the rules by hand would send, by the role that has the rule; `$1` is the caller. */
const rules = {
  member: `exists (select from organisations o join memberships m on m.organisation_id = o.id
    where o.id = t.organisation_id and o.deleted_at is null and m.user_id = $1)`,
  manager: `exists (select from projects p join organisations o on o.id = p.organisation_id
      join memberships m on m.organisation_id = o.id
    where p.id = t.project_id and p.deleted_at is null and o.deleted_at is null
      and m.user_id = $1 and m.role in ('owner', 'admin'))`,
  owner: `exists (select from organisations o
    where o.id = t.organisation_id and o.deleted_at is null and o.owner_id = $1)`,
  landlord: `exists (select from projects p join organisations o on o.id = p.organisation_id
    where p.id = t.project_id and p.deleted_at is null and o.deleted_at is null and o.owner_id = $1)`,
  colleague: `(t.assignee_id = $1 or exists (select from organisations o join memberships m on m.organisation_id = o.id
    where o.id = t.organisation_id and o.deleted_at is null and m.user_id = $1))`,
} as const;

export type RuleRole = keyof typeof rules;

export const ruleRoles: readonly RuleRole[] = ["member", "manager", "owner", "landlord", "colleague"];

const columns =
  "id, organisation_id, project_id, assignee_id, title, status, created_at, updated_at, deleted_at";

/** The ten newest tasks that a caller may see. */
export const newestTasks = (role: RuleRole, userId: string): pg.QueryConfig => ({
  name: `${role}-newest`,
  text: `select ${columns} from tasks t where t.deleted_at is null and ${rules[role]}
    order by created_at desc, id desc limit 10`,
  values: [userId],
});

/** The first ten tasks that a caller may see. */
export const firstTasks = (role: RuleRole, userId: string): pg.QueryConfig => ({
  name: `${role}-first`,
  text: `select ${columns} from tasks t where t.deleted_at is null and ${rules[role]} order by id limit 10`,
  values: [userId],
});

/** How many tasks a caller may see. */
export const taskCount = (role: RuleRole, userId: string): pg.QueryConfig => ({
  name: `${role}-count`,
  text: `select count(*)::int from tasks t where t.deleted_at is null and ${rules[role]}`,
  values: [userId],
});
