import { describe, expect, test } from "vitest";
import { compileCondition } from "#generator/conditions/index";
import { scopeOf } from "../scope-of-models.ts";
import { tracker } from "../tracker.ts";

// Rules in the style of SQL, Hasura, PocketBase or Supabase: where the first message is, and its text.
function expectHint(model: string, text: string, place: string, hint: string | null): void {
  const scope = scopeOf(tracker, model);
  const [first] = compileCondition(text, scope).problems;
  const at = first === undefined ? null : text.slice(first.at.offset, first.at.offset + first.at.length);
  expect([at, first?.hint]).toEqual([place, hint]);
  // Within EXISTS it is a part of the condition.
  for (const instead of text.startsWith("EXISTS") ? [] : writtenOut(hint))
    expect([instead, compileCondition(instead, scope).problems]).toEqual([instead, []]);
}

/** What is to be written, where a hint writes it out. */
function writtenOut(hint: string | null): string[] {
  if (hint === null || !hint.startsWith("write ") || /[…<]/.test(hint)) return [];
  return hint.match(/(NOT )?EXISTS \(.*?\)(?= where|$)/g) ?? [];
}

describe("the row itself, and rows of others", () => {
  // biome-ignore format: one case a line
  test.each<[string, string, string, string | null]>([
    ["tasks", "tasks.title = title", "tasks.title", 'names already refer to fields of "tasks": write title'],
    ["projects", "project.lead_id = {user_id}", "project.lead_id", 'names already refer to fields of "projects": write lead_id'],
    ["projects", "self.lead_id = {user_id}", "self.lead_id", 'names already refer to fields of "projects": write lead_id'],
    ["projects", "OLD.status = 'draft'", "OLD.status", 'names already refer to fields of "projects": write status'],
    ["projects", "tasks.title = title", "tasks.title", "write EXISTS (tasks WHERE title = this.title)"],
    ["projects", "title = tasks.title", "tasks.title", "write EXISTS (tasks WHERE this.title = title)"],
    ["projects", "tasks.title = project_tags.id", "tasks.title", "write EXISTS (tasks WHERE …)"],
    ["projects", "tasks.title != 'a'", "tasks.title",
      "write NOT EXISTS (tasks WHERE title = 'a') if all rows must pass, or EXISTS (tasks WHERE title != 'a') if one row is enough"],
    ["projects", "tasks.title NOT ILIKE title", "tasks.title", "write EXISTS (tasks WHERE …)"],
    ["projects", "tasks.id NOT BETWEEN 1 AND 2", "tasks.id",
      "write NOT EXISTS (tasks WHERE id BETWEEN 1 AND 2) if all rows must pass, or EXISTS (tasks WHERE id NOT BETWEEN 1 AND 2) if one row is enough"],
    ["projects", "tasks.title IS NULL", "tasks.title",
      "write NOT EXISTS (tasks) to test that no row exists, or EXISTS (tasks WHERE title IS NULL) to test for such a row"],
    ["projects", "tasks > 0", "tasks", "EXISTS (tasks) is true if a row exists, NOT EXISTS (tasks) if no row exists"],
    ["projects", "tasks.length > 0", "tasks.length", null],
    ["projects", "memberships.user_id = {user_id} AND memberships.role = 'owner'", "memberships.user_id",
      "write EXISTS (organisation.memberships WHERE user_id = {user_id} AND role = 'owner')"],
    ["projects", "memberships.user_id = {user_id} AND (memberships.role = 'owner' OR is_public = true)", "memberships.user_id",
      "put all conditions on one row into one EXISTS (organisation.memberships WHERE …)"],
    ["projects", "NOT (memberships.user_id = {user_id} AND memberships.role = 'owner')", "memberships.user_id",
      "put all conditions on one row into one EXISTS (organisation.memberships WHERE …)"],
    ["projects", "EXISTS (organisation WHERE memberships.role = name)", "memberships.role", "write EXISTS (memberships WHERE …)"],
    ["projects", "EXISTS (organisation WHERE memberships.role = this.title)", "memberships.role",
      "write EXISTS (memberships WHERE role = this.title)"],
    ["tasks", "teams.name = 'a'", "teams.name", "write assignee.team.name or reporter.team.name or project.lead.team.name"],
    ["comments", "EXISTS (users WHERE id = 1)", "users", "write author"],
    ["projects", "lead = {user_id}", "lead", "write lead_id, or lead.<field>"],
    ["projects", "organisation.members.user_id = {user_id}", "organisation.members.user_id",
      'the relations of "organisations" are owner, memberships, projects, billing'],
  ])("of %s: %s", expectHint);
});

describe("the caller", () => {
  // biome-ignore format: one case a line
  test.each<[string, string, string, string | null]>([
    ["projects", "lead_id = auth.uid()", "(", "the caller's value is {user_id}"],
    ["projects", "(select auth.uid()) = lead_id", "auth.uid", "the caller's value is {user_id}"],
    ["projects", "lead_id = (SELECT auth.uid())", "(", "the caller's value is {user_id}"],
    ["projects", "auth.role() = 'authenticated'", "(", 'put roles into the rule: "role": ["admin", "staff"]'],
    ["projects", "auth.email() = contact", "(", "the caller's value is {email}"],
    ["projects", "@request.auth.id = lead_id", "@", "the caller's values are {user_id}, {email} and {user.<column>}, the time is now()"],
    ["projects", "lead_id = $user", "$", "write placeholders in braces, such as {user_id}"],
    ["projects", "lead_id = :user_id", ":", "write placeholders in braces, such as {user_id}"],
    ["projects", "lead_id = {{user_id}}", "{",
      "a condition is a text such as lead_id = {user_id}, without JSON; write placeholders in one pair of braces"],
    ["projects", "lead_id = {uid}", "{uid}", "the caller's value is {user_id}"],
    ["projects", "lead_id = current_user", "current_user", "the caller's value is {user_id}"],
    ["projects", "lead_id = userId", "userId", "the caller's value is {user_id}"],
    ["projects", "lead_id = X-Hasura-User-Id", "-", "the caller's value is {user_id}"],
    ["projects", "lead_id = 'X-Hasura-User-Id'", "'X-Hasura-User-Id'", "text in quotes is a string: write {user_id}"],
    ["projects", "organisation_id = X-Hasura-Org-Id", "-", 'the caller\'s value is {user.org_id}, if "users" has this column'],
    ["projects", "budget = 'x-hasura-level'", "'x-hasura-level'",
      'text in quotes is a string: write {user.level}, if "users" has this column'],
    ["projects", "contact = X-Hasura-Email", "-", "the caller's value is {email}"],
    ["projects", "title = X-Hasura-Role", "-", 'put roles into the rule: "role": ["admin", "staff"]'],
    ["projects", "budget = 'X-Hasura-Role'", "'X-Hasura-Role'", 'text in quotes is a string; put roles into the rule: "role": ["admin", "staff"]'],
    ["projects", "owner_id = {user_id}", "owner_id", "write lead_id, which refers to users"],
    ["projects", "{user_id} != owner", "owner", "write lead_id, which refers to users"],
    ["projects", "leed_id = {user_id}", "leed_id", 'did you mean "lead_id"?'],
    ["projects", "owner_id = {email}", "owner_id", null],
    ["tasks", "user_id IN ({user_id})", "user_id", "write assignee_id or reporter_id, which refer to users"],
    ["tasks", "project.owner_id = {user_id}", "project.owner_id", "write project.lead_id, which refers to users"],
    ["projects", "EXISTS (tasks WHERE owner_id = {user_id})", "owner_id", "write assignee_id or reporter_id, which refer to users"],
    ["tags", "owner_id = {user_id}", "owner_id", null],
    ["projects", "lead_id = '{user_id}'", "'{user_id}'", "text in quotes is a string: write {user_id}"],
    ["projects", '{"lead_id": {"_eq": 1}}', "{",
      "a condition is a text such as lead_id = {user_id}, without JSON; write placeholders in one pair of braces"],
    ["projects", "role = 'admin'", "role", 'put roles into the rule: "role": ["admin", "staff"]'],
    ["projects", "{user_id} IS NOT NULL", "{user_id}", 'for callers with a credential, write "role": "signed_in"; for callers without one, "role": "guest"'],
    ["projects", "{user_id} = null", "{user_id}", 'for callers with a credential, write "role": "signed_in"; for callers without one, "role": "guest"'],
    ["projects", "{email} LIKE '%@example.com'", "{email}", "identify callers by role, by {user.<column>} = …, or by rows that refer to them"],
  ])("of %s: %s", expectHint);
});

describe("other languages", () => {
  // biome-ignore format: one case a line
  test.each<[string, string, string, string | null]>([
    ["projects", "organisation_id = (SELECT organisation_id FROM memberships)", "(",
      "for rows of other models, write EXISTS (memberships WHERE user_id = {user_id})"],
    ["projects", "organisation.memberships.user_id ?= {user_id}", "?=", "write EXISTS (<path> WHERE <field> = …)"],
    ["projects", "{user_id} = ANY (SELECT user_id FROM memberships)", "(",
      "write values in IN (…); for rows of other models, write EXISTS (memberships WHERE user_id = {user_id})"],
    ["projects", "COUNT(tasks) > 0", "(", "EXISTS (<relation> WHERE …) tests whether a row exists, and NOT EXISTS whether no row exists"],
    ["projects", "tags @> ARRAY['a']", "@>",
      "to look for one value in a list, write CONTAINS 'a'; for one of several, OVERLAPS ('a', 'b'); for rows of other models, write EXISTS (<relation> WHERE …)"],
    ["projects", "lower(contact) = {email}", "(", "the only function is now(); a call of a named condition is compared with nothing: member(project.organisation)"],
    ["projects", "contact LIKE '%' || {email}", "||", "write OR between conditions; text cannot be concatenated"],
    ["projects", "title LIKE %a%", "%", "write a pattern in single quotes: LIKE '%a%'"],
    ["projects", "title !~ 'a'", "!~", "match text with LIKE or ILIKE: % stands for any characters, _ for one"],
    ["projects", "title CONTAINS 'a'", "CONTAINS", "write title = 'a', or title LIKE '%…%' for a part of a text"],
    ["projects", "title NOT = 'a'", "=", "write title != …"],
    ["projects", "lead_id NOT NULL", "NULL", "write lead_id IS NOT NULL"],
    ["projects", "is_public IS TRUE", "TRUE", "IS tests only for NULL: write is_public = TRUE"],
    ["projects", "lead_id IS DISTINCT FROM {user_id}", "DISTINCT", "IS tests only for NULL: write lead_id != …"],
    ["projects", "lead_id IS NOT DISTINCT FROM {user_id}", "DISTINCT", "IS tests only for NULL: write lead_id = …"],
    ["projects", "lead_id == {user_id}", "==", "write ="],
    ["projects", "title =! 'a'", "=!", "write !="],
    ["projects", "budget => 5", "=>", "write >="],
    ["projects", "budget ≥ 5", "≥", "write >="],
    ["projects", "title = “a”", "“", "write strings in single quotes, and field names without quotes"],
    ["projects", "title = 'it's'", "'", "a quote within a string is doubled: 'it''s'"],
    ["projects", "status = 'draft' OR 'published'", "", "each part must be a comparison; for one of several values, write IN (…, 'published')"],
    ["projects", "status IN 'draft'", "'draft'", "IN takes values in parentheses: IN ('draft')"],
    ["projects", "status IN ['draft']", "[", "write values in parentheses: IN ('a', 'b'); to look for an element of a list, write CONTAINS 'a'"],
    ["projects", "status IN ()", ")", "a list has one value or more"],
    ["projects", "status = ('draft')", "(", "write fields and values without parentheses"],
    ["projects", "lead_id = {user_id}, is_public = true", ",", "write AND, or OR if one of them is enough"],
    ["projects", "WHERE status = 'draft'", "status", "a condition begins without WHERE"],
    ["projects", "status = 'draft';", ";", "a condition ends without ;"],
    ["projects", "status = 'draft' -- why", "--", "comments are not supported"],
    ["projects", "budget - spent > 0", "-", "arithmetic is not supported"],
    ["projects", "created_at + interval '1 day' > now()", "+", "only now() takes an interval: created_at > now() - interval '15 minutes'"],
    ["projects", "created_at > now - interval '1 day'", "-", "write now()"],
    ["projects", "created_at > CURRENT_TIMESTAMP", "CURRENT_TIMESTAMP", "write now()"],
    ["projects", "due_on >= today()", "(", "write now()"],
    ["projects", "details->>'a' = 'b'", "->", "write paths with dots; conditions cannot read values inside JSON"],
    ["projects", "details.a = 'b'", "details.a", "conditions cannot read values inside JSON"],
    ["projects", "lead_id::text = '5'", "::", "casts are not supported: write the value in the type of the field"],
    ["projects", "lead_id = '5'", "'5'", "write 5"],
    ["projects", "is_public = 'true'", "'true'", "write true"],
    ["projects", "is_public = 1", "1", "write true"],
    ["projects", "title = 5", "5", "write '5'"],
    ["projects", "is_public = yes", "yes", "write true"],
    ["projects", "lead_id = undefined", "undefined", "write IS NULL"],
    ["projects", "lead_id = abc", "abc", null],
    ["projects", "true", "", "a rule without a condition opens all rows"],
    ["projects", "deleted_at IS NULL", "deleted_at", '"projects" has no soft delete: remove this comparison'],
  ])("of %s: %s", expectHint);
});
