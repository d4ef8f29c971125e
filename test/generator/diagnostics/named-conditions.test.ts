import { expect, test } from "vitest";
import { project } from "../support/project.ts";
import { printed } from "./printed.ts";

/** Teams with members, and notes of teams. */
function teams(access: object, ofNotes: object = { fetch: [{ role: "admin" }] }) {
  const to = (model: string) => ({ type: "belongs_to", relationship: { model } });
  const relationship = { model: "memberships", foreign_key: "team_id" };
  return {
    teams: {
      fields: {
        name: { type: "string", index: true, searchable: true },
        owner_id: to("users"),
        memberships: { type: "has_many", relationship },
      },
      access,
    },
    memberships: {
      internal: true,
      indexes: [["team_id", "user_id"]],
      fields: { team_id: to("teams"), user_id: { ...to("users"), index: true } },
    },
    notes: { fields: { team_id: to("teams"), text: { type: "text" } }, access: ofNotes },
  };
}

/** Organisations with members and projects with tasks; rules and definitions are what the tests ask for. */
function tenants(conditions: object, tasks: string, more: object = {}): string {
  const has = (model: string, foreign_key: string) => ({
    type: "has_many",
    relationship: { model, foreign_key },
  });
  const belongs = (model: string) => ({ type: "belongs_to", relationship: { model } });
  const closed = { fetch: [{ role: "admin" }] };
  const models = {
    $conditions: conditions,
    organisations: {
      fields: { name: { type: "string" }, memberships: has("memberships", "organisation_id") },
      access: closed,
    },
    memberships: {
      fields: {
        organisation_id: belongs("organisations"),
        user_id: belongs("users"),
        role: { type: "string" },
      },
      access: closed,
    },
    projects: {
      fields: { organisation_id: belongs("organisations"), tasks: has("tasks", "project_id") },
      access: closed,
    },
    tasks: {
      fields: { title: { type: "string" }, project_id: belongs("projects"), parent_id: belongs("tasks") },
      access: { fetch: [{ role: "user", condition: tasks }] },
      ...more,
    },
  };
  return JSON.stringify(models, null, 1);
}

const member = { on: "organisations", condition: "EXISTS (memberships WHERE user_id = {user_id})" };

test("condition-call", async () => {
  const manager = { on: "organisations", condition: "EXISTS (memberships WHERE this.name = role)" };
  const chief = { on: "organisations", condition: "manager() OR name = 'a'" };
  const rule = [
    "membr(project.organisation)",
    "member(project)",
    "member()",
    "member(organisation)",
    "EXISTS (project.tasks WHERE chief(project.organisation))",
    "EXISTS (project.tasks WHERE manager(this.project.organisation))",
    "busy(project.tasks)",
  ].join(" OR ");
  const busy = { on: "tasks", condition: "title = 'busy'" };
  expect(
    await printed("condition-call", tenants({ member, manager, chief, busy }, rule)),
  ).toMatchInlineSnapshot(`
    models.json:113:20 membr(project.organisation) - error condition-call: there is no condition "membr"
      did you mean "member"?
    models.json:113:51 member(project) - error condition-call: "member" is a condition on "organisations", but "project" leads to "projects"
      write member(path), with a path to "organisations"
    models.json:113:70 member() - error condition-call: "member" is a condition on "organisations", but this is a row of "tasks"
      write member(path), with a path to "organisations"
    models.json:113:82 member(organisation) - error condition-call: model "tasks" has no relation called "organisation"
      the path goes through "project": write project.organisation
    models.json:113:134 chief(project.organisation) - error condition-call: "chief" uses "this", so it cannot be called inside EXISTS
      call it outside of EXISTS, or write its condition here
    models.json:113:194 manager(this.project.organisation) - error condition-call: "manager" uses "this", so it cannot be called inside EXISTS
      call it outside of EXISTS, or write its condition here
    models.json:113:233 busy(project.tasks) - error condition-call: "tasks" is a has_many, so it can have many rows
      call it in EXISTS (project.tasks WHERE …)
  `);
});

test("condition-call, in a cycle", async () => {
  const conditions = {
    first: { on: "tasks", condition: "second(parent)" },
    second: { on: "tasks", condition: "title = 'a' OR first()" },
    calls: { on: "tasks", condition: "first()" },
  };
  expect(await printed("condition-call", tenants(conditions, "first()"))).toMatchInlineSnapshot(
    `models.json:5:18 second(parent) - error condition-call: in the condition "second", which second(parent) means: the conditions call each other in a cycle: first > second > first`,
  );
});

test("condition-too-large, by definitions that call others twice", async () => {
  const levels = Array.from({ length: 30 }, (_, level) => [
    `level_${level}`,
    { on: "tasks", condition: level === 0 ? "title = 'a'" : `level_${level - 1}() OR level_${level - 1}()` },
  ]);
  expect(
    await printed("condition-too-large", tenants(Object.fromEntries(levels), "level_29()")),
  ).toMatchInlineSnapshot(`
    models.json:37:18 level_7() OR level_7() - error condition-too-large: the condition makes more than 256 calls, with those of its definitions
      split the parts of OR into separate rules
    models.json:73:18 level_16() OR level_16() - error condition-too-large: the condition makes more than 256 calls, with those of its definitions
      split the parts of OR into separate rules
    models.json:109:18 level_25() OR level_25() - error condition-too-large: the condition makes more than 256 calls, with those of its definitions
      split the parts of OR into separate rules
  `);
});

test("duplicate-condition", async () => {
  const one = { $conditions: { member } };
  const files = {
    models: tenants({ member }, "member(project.organisation)"),
    "b.models.json": JSON.stringify(one),
  };
  expect(await printed("duplicate-condition", files)).toMatchInlineSnapshot(
    `b.models.json:1:17 "member" - error duplicate-condition: the condition "member" is in models.json as well`,
  );
});

test("names, models and shapes of definitions", async () => {
  const conditions = {
    Member: member,
    exists: member,
    ["a".repeat(42)]: member,
    on_nothing: { on: "organisation", condition: "name = 'a'" },
    wrong: { on: "organisations", condition: "nam = 'a'" },
    half: { on: "organisations", condition: "name =" },
    bare: { on: "organisations", when: "name = 'a'" },
  };
  expect(
    await printed("invalid-name", tenants(conditions, "wrong(project.organisation)")),
  ).toMatchInlineSnapshot(`
    models.json:3:3 "Member" - error invalid-name: "Member" is not a name for a condition
      write lowercase letters, digits and underscores, at most 41, with a letter first
    models.json:7:3 "exists" - error invalid-name: "exists" is a word of the condition language
      choose another name
    models.json:11:3 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" - error invalid-name: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa" is not a name for a condition
      write lowercase letters, digits and underscores, at most 41, with a letter first
    models.json:16:10 "organisation" - error unknown-model: condition "on_nothing" is on "organisation", which is not a model
      did you mean "organisations"?
    models.json:21:18 nam - error condition-field: model "organisations" has no field "nam"
      did you mean "name"?
    models.json:25:24 " - error condition-syntax: expected a field or a value, found the end of the condition
    models.json:27:3 "bare" - error missing-key: condition "bare" lacks the key "condition"
    models.json:29:4 "when" - error unknown-key: condition "bare" has the unknown key "when"
      known here: on, condition, description
  `);
});

test("a call in a check, and another key with $", async () => {
  const checks = [{ name: "fits", condition: "member(project.organisation)", message: "No." }];
  expect(
    await printed("condition-in-check", tenants({ member }, "title = 'a'", { checks })),
  ).toMatchInlineSnapshot(`
    models.json:108:19 member(project.organisation) - error condition-in-check: "member" is a named condition, which only rules can call
      write its condition, as far as it is about one row
  `);
  const models = tenants({ member }, "title = 'a'").replace('"$conditions"', '"$condition"');
  expect(await printed("unknown-key", models)).toMatchInlineSnapshot(`
    models.json:2:2 "$condition" - error unknown-key: the models file has the unknown key "$condition"
      did you mean "$conditions"?
  `);
});

test("the limits hold for what a call means, and the message names the call and the definition", async () => {
  const far = { on: "tasks", condition: "parent.parent.parent.parent.title = 'a'" };
  const deep = {
    on: "tasks",
    condition: "EXISTS (project.tasks WHERE EXISTS (project.tasks WHERE title = 'a'))",
  };
  const many = {
    on: "tasks",
    condition: Array.from({ length: 5 }, () => "parent.parent.title = 'a'").join(" OR "),
  };
  const calls =
    "far(parent.parent.parent) OR EXISTS (project.tasks WHERE EXISTS (project.tasks WHERE deep()))";
  expect(await printed("condition-too-deep", tenants({ far, deep }, calls))).toMatchInlineSnapshot(`
    models.json:105:20 far(parent.parent.parent) - error condition-field: in the condition "far", which far(parent.parent.parent) means: "parent.parent.parent.parent.parent.parent.parent" uses 7 relations, more than 6
    models.json:105:105 deep() - error condition-too-deep: in the condition "deep", which deep() means: more than 3 levels of EXISTS
  `);
  expect(
    await printed("condition-too-large", tenants({ many }, "many() OR many(parent)")),
  ).toMatchInlineSnapshot(`
    models.json:101:30 many(parent) - error condition-too-large: the condition uses 25 relations with those of many(parent), more than 16
      split the parts of OR into separate rules
  `);
});

test("a definition and a rule with a call have at most 4,000 characters, also if they have nothing else new", async () => {
  const texts = (count: number) => Array.from({ length: count }, () => "title = 'abcdefgh'").join(" OR ");
  const open = { on: "tasks", condition: texts(200) };
  const printedFor = async (rule: string) => {
    const { diagnostics } = await project(JSON.parse(tenants({ open }, rule))).generate();
    return diagnostics.map(({ code, message }) => `${code}: ${message}`);
  };
  const long = "condition-too-large: the condition has 4396 characters, more than 4000";
  expect(await printedFor(texts(200))).toEqual([long]);
  open.condition = texts(100);
  expect(await printedFor(texts(200))).toEqual([]);
  expect(await printedFor(`open() OR ${texts(199)}`)).toEqual([long.replace("4396", "4384")]);
  expect(await printedFor(`open() OR open() OR open()`)).toEqual([]);
});

test("parentheses of a definition do not count towards the depth of its callers", async () => {
  const nested = (text: string) => `${"(".repeat(32)}${text}${")".repeat(32)}`;
  const deep = { on: "tasks", condition: nested("NOT title = 'a'").slice(1, -1) };
  const { diagnostics } = await project(JSON.parse(tenants({ deep }, nested("deep()")))).generate();
  expect(diagnostics).toEqual([]);
});

test("a call that is compared, and a name without parentheses", async () => {
  const rules = { "member(project.organisation) = true": "(", member: "the end of the condition" };
  for (const [rule, found] of Object.entries(rules)) {
    const { diagnostics } = await project(JSON.parse(tenants({ member }, rule))).generate();
    expect(diagnostics).toMatchObject([
      {
        message: `expected an operator, found ${found}`,
        hint: expect.stringMatching(
          /call of a named condition is compared|or call a named condition: member\(\)/,
        ),
      },
    ]);
  }
});

test("unused-condition", async () => {
  const models = {
    $conditions: {
      member: { on: "teams", condition: "EXISTS (memberships WHERE mine())" },
      mine: { on: "memberships", condition: "user_id = {user_id}" },
      first: { on: "teams", condition: "second()" },
      second: { on: "teams", condition: "name = 'a'" },
      of_account: { on: "users", condition: "is_active = true" },
    },
    ...teams({ fetch: [{ role: "signed_in", condition: "member()" }] }),
  };
  expect(await printed("unused-condition", JSON.stringify(models, null, 1))).toMatchInlineSnapshot(`
    models.json:11:3 "first" - lint unused-condition: no rule uses the condition "first"
      remove it, or call it
    models.json:15:3 "second" - lint unused-condition: no rule uses the condition "second"
      remove it, or call it
    models.json:19:3 "of_account" - lint unused-condition: no rule uses the condition "of_account"
      remove it, or call it
  `);
});

test("unused-condition, with the reason in the model that it is on", async () => {
  const lint_ignore = { "unused-condition": "For the next release." };
  const $conditions = { second: { on: "teams", condition: "name = 'a'" } };
  const { teams: model, ...others } = teams({ fetch: [{ role: "admin" }] });
  const models = { $conditions, teams: { ...model, lint_ignore }, ...others };
  const { diagnostics, silenced } = await project(models).generate({ mode: "lint" });
  expect(diagnostics).toEqual([]);
  expect(silenced).toMatchObject([{ diagnostic: { code: "unused-condition" } }]);
});

const mine = "EXISTS (memberships WHERE user_id = {user_id})";
const behind = "EXISTS (team.memberships WHERE (user_id = {user_id}))";

test("repeated-condition", async () => {
  const rule = (condition: string) => ({ role: ["user", "editor"], condition });
  const other = "EXISTS (memberships WHERE user_id = this.owner_id)";
  const models = teams(
    { fetch: [rule(mine)], search: [rule(`name = 'a' OR NOT ${mine} AND ${mine}`)] },
    { fetch: [rule(behind)], search: [rule(`EXISTS (team.memberships)`)] },
  );
  expect(await printed("repeated-condition", JSON.stringify(models, null, 1))).toMatchInlineSnapshot(`
    models.json:28:7 "editor" - lint role-nobody-has: nothing in this project assigns the role "editor" to an account; new accounts have "user"
      if npm run create-admin -- --role editor or SQL assigns it, say so in "lint_ignore"
    models.json:30:28 memberships - lint repeated-condition: 3 rules have the same EXISTS over "memberships" of "teams", in teams.fetch, teams.search and 1 more
      define it once in "$conditions", with "on": "teams", and write name()
  `);
  const member = { on: "teams", condition: mine };
  const named = JSON.stringify({ $conditions: { member }, ...models }, null, 1);
  expect(await printed("repeated-condition", named)).toMatchInlineSnapshot(`
    models.json:3:3 "member" - lint unused-condition: no rule uses the condition "member"
      remove it, or call it
    models.json:34:7 "editor" - lint role-nobody-has: nothing in this project assigns the role "editor" to an account; new accounts have "user"
      if npm run create-admin -- --role editor or SQL assigns it, say so in "lint_ignore"
    models.json:36:28 memberships - lint repeated-condition: 3 rules have the same EXISTS over "memberships" of "teams", in teams.fetch, teams.search and 1 more
      write member()
  `);
  const twice = teams({ fetch: [rule(mine)], search: [rule(other)] }, { fetch: [rule(behind)] });
  expect((await project(twice).generate({ mode: "lint" })).diagnostics.map(({ code }) => code)).not.toContain(
    "repeated-condition",
  );
});

test("--check does not propose names, and does not call a reason for it unused", async () => {
  const access = { fetch: [{ role: "user", condition: mine }], search: [{ role: "user", condition: mine }] };
  const { teams: model, ...others } = teams(access, { fetch: [{ role: "user", condition: behind }] });
  const lint_ignore = { "repeated-condition": "Each is read on its own." };
  const found = async (mode: "check" | "lint", ...[ignored]: object[]) => {
    const models = { teams: { ...model, ...ignored }, ...others };
    const { diagnostics, exitCode } = await project(models).generate({ mode });
    return { codes: diagnostics.map(({ code }) => code), exitCode };
  };
  expect(await found("lint")).toEqual({ codes: ["repeated-condition"], exitCode: 0 });
  expect(await found("lint", { lint_ignore })).toEqual({ codes: [], exitCode: 0 });
  expect(await found("check")).toMatchObject({ codes: [] });
  expect(await found("check", { lint_ignore })).toMatchObject({ codes: [] });
});

test("lint works on what a call means, and reports a mistake in a definition once, there", async () => {
  const $conditions = {
    member: { on: "teams", condition: "EXISTS (memberships WHERE user_id = {user_id})" },
    named: { on: "teams", condition: "name = '{email}' OR name = name" },
  };
  const covered = [
    { role: "user", condition: "(member() OR name = 'b') AND name = 'a'" },
    { role: "user", condition: "EXISTS (memberships WHERE user_id = {user_id})" },
  ];
  const models = {
    $conditions,
    ...teams(
      { fetch: [{ role: "user", condition: "member() OR name = 'a'" }], update: covered },
      {
        fetch: [{ role: "user", condition: "named(team) AND member(team)" }],
        search: [{ role: "user", condition: "named(team) AND member(team)" }],
        update: [{ role: "user", condition: "member(team)" }],
      },
    ),
  };
  expect(await printed("write-wider-than-fetch", JSON.stringify(models, null, 1))).toMatchInlineSnapshot(`
    models.json:9:25 '{email}' - lint quoted-placeholder: {email} is in quotes here, so it is plain text and is not replaced
      write = {email} without quotes; a placeholder cannot be part of a longer text or pattern
    models.json:9:45 name - lint compared-with-itself: "name" is compared with itself, which is true for every value except NULL
      compare with another field or a value
    models.json:42:14 "user" - lint rows-of-others: anyone who registers can change rows of "teams" that satisfy the condition, including those of other users
      tie the rows to the caller with "owner_id = {user_id}" or EXISTS, or use roles that an administrator assigns
    models.json:103:14 "user" - lint write-wider-than-fetch: the role "user" can change rows of "notes" without a rule to fetch them: filters of this write reveal their content
      open "fetch" for these rows, or add to this condition: team.name = '{email}', or team.name = team.name
  `);
});
