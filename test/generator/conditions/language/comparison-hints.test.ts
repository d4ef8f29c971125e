import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compileCondition } from "#generator/conditions/index";
import { scopeOf } from "../scope-of-models.ts";
import { tracker } from "../tracker.ts";

// Common first attempts, and the message that shows the right form.
const told = (text: string, model: string) =>
  compileCondition(text, scopeOf(tracker, model)).problems.map(({ message, hint }) => [message, hint]);
/** What is to be written, where a hint writes it out. */
const writtenOut = (hint: unknown) =>
  /^write ((?:NOT )?EXISTS \(.*\)|\S+ != .*|\S+ = .*)$/.exec(String(hint))?.[1];

function expectTold(text: string, message: string, hint: string | null): void {
  expect(told(text, "projects")).toEqual([[message, hint]]);
  const instead = writtenOut(hint);
  if (instead !== undefined && !instead.includes("…")) expect(told(instead, "projects")).toEqual([]);
}

const memberships = "EXISTS (memberships WHERE user_id = {user_id})";

describe("EXISTS", () => {
  const path = "expected a path over relations after EXISTS (, found";
  const withoutSelect =
    "write EXISTS (memberships WHERE …): a path over relations, without SELECT, FROM and joins";
  const noAlias =
    "aliases are not supported: within EXISTS (tasks WHERE …) a plain name is a field of tasks, and this.<field> is a field of the row itself";

  // biome-ignore format: one case a line
  test.each([
    ["EXISTS (SELECT 1 FROM memberships WHERE user_id = {user_id})", `${path} SELECT`, withoutSelect],
    ["EXISTS (SELECT * FROM memberships m WHERE m.user_id = 1)", `${path} SELECT`, withoutSelect],
    ["EXISTS (select memberships.id)", `${path} select`, withoutSelect.replace("memberships", "<relation>")],
    ["EXISTS (FROM memberships WHERE user_id = {user_id})", `${path} FROM`, withoutSelect],
    ["EXISTS (tasks t WHERE t.title = 'a')", "expected WHERE or ), found t", noAlias],
    ["EXISTS (tasks AS t WHERE t.title = 'a')", "expected WHERE or ), found AS", noAlias],
    ["EXISTS (tasks JOIN comments ON comments.task_id = tasks.id)", "expected WHERE or ), found JOIN",
      "write names of relations instead of a join: EXISTS (tasks.<relation> WHERE …)"],
    ["EXISTS (tasks title = 'a') AND is_open = true", "expected WHERE or ), found title", "write EXISTS (tasks WHERE title = 'a')"],
    ["EXISTS (tasks AND (title IN ('a', 'b') OR title = 'c'))", "expected WHERE or ), found AND",
      "write EXISTS (tasks WHERE (title IN ('a', 'b') OR title = 'c'))"],
    ["EXISTS (tasks, title = 'a')", "expected WHERE or ), found ,", "write EXISTS (tasks WHERE title = 'a')"],
    ["EXISTS (title = 'a')", 'expected WHERE after the path "title", found =',
      "start with a path over relations: EXISTS (<relation> WHERE title …)"],
    ["EXISTS tasks WHERE title = 'a'", "expected an operator, found tasks",
      "put the path and its condition in parentheses: EXISTS (tasks WHERE …)"],
    ["tasks EXISTS (title = 'a')", "expected an operator, found EXISTS", "put the path in the parentheses: EXISTS (tasks WHERE …)"],
    ["EXISTS ()", `${path} )`, `such as ${memberships}`],
    ["EXISTS (tasks", "expected WHERE or ), found the end of the condition", "a parenthesis is still open"],
    ["EXISTS (tasks WHERE id = 1", "expected ), found the end of the condition", "a parenthesis is still open"],
    ["EXISTS (tasks) WHERE title = 'a'", "expected AND, OR or the end, found WHERE",
      `put the condition of EXISTS within its parentheses: ${memberships}`],
    ["is_open = true EXISTS (tasks)", "expected AND, OR or the end, found EXISTS", "write AND or OR before EXISTS"],
    ["EXISTS (tasks.title WHERE title = 'a')", '"title" of model "tasks" is not a relation', "a path ends in a relation: EXISTS (tasks WHERE …)"],
    ["EXISTS (this)", '"this" is the row itself', "add a relation: this.<relation>"],
    ["EXISTS (organisation.memberships WHERE memberships.user_id = {user_id})", 'model "memberships" has no relation called "memberships"',
      'within EXISTS, names already refer to fields of "memberships": write user_id'],
    ["EXISTS (parent.tasks WHERE project_id = projects.id)", 'model "tasks" has no relation called "projects"',
      'for the row that the rule is for, write this.id'],
    ["EXISTS (organisation.memberships WHERE user_id = lead_id)", 'model "memberships" has no field "lead_id"',
      'for the row that the rule is for, write this.lead_id'],
    ["EXISTS (organisation.memberships WHERE user_id = lead.id)", 'model "memberships" has no relation called "lead"',
      'for the row that the rule is for, write this.lead.id'],
    ["organisation_id IN (SELECT organisation_id FROM memberships)", "expected values, found SELECT",
      `IN takes values; for rows of other models, write ${memberships}`],
    ["{user_id} IN organisation.memberships", "expected (, found organisation.memberships",
      `IN takes values in parentheses; for rows of other models, write ${memberships}`],
  ])("%s", (text, message, hint) => {
    expectTold(text, message, hint);
  });
});

describe("many rows", () => {
  const many = (name: string) => `"${name}" is a has_many, so it can have many rows`;
  const noSide = "one side of a comparison must be a field; lists, ranges and patterns go on the right";
  const none = (name: string) => `model "projects" has no relation called "${name}"`;
  const declared = (model: string) =>
    `declare it: "${model}": { "type": "has_many", "relationship": {"model":"${model}","foreign_key":"project_id"} } in the fields of "projects"`;

  // biome-ignore format: one case a line
  test.each([
    ["organisation.memberships.user_id = {user_id}", many("memberships"), "write EXISTS (organisation.memberships WHERE user_id = {user_id})"],
    ["is_open = true OR {user_id}=this.tasks.assignee.id", many("tasks"), "write EXISTS (this.tasks WHERE {user_id}=assignee.id)"],
    ["tasks.comments.author.team_id NOT IN ({user.team_id}, 5) AND is_open = true", many("comments"),
      "write NOT EXISTS (tasks.comments WHERE author.team_id IN ({user.team_id}, 5)) if all rows must pass, or EXISTS (tasks.comments WHERE author.team_id NOT IN ({user.team_id}, 5)) if one row is enough"],
    ["tasks.title IS NOT NULL", many("tasks"), "write EXISTS (tasks WHERE title IS NOT NULL)"],
    ["tasks.id BETWEEN 1 AND 2", many("tasks"), "write EXISTS (tasks WHERE id BETWEEN 1 AND 2)"],
    ["tasks.title LIKE 'a%'", many("tasks"), "write EXISTS (tasks WHERE title LIKE 'a%')"],
    ["{user_id} IN (organisation.memberships.user_id)", noSide, "write EXISTS (organisation.memberships WHERE user_id = {user_id})"],
    ["{user_id} NOT IN (organisation.memberships.user_id)", noSide, "write NOT EXISTS (organisation.memberships WHERE user_id = {user_id})"],
    ["{user_id} IN (lead_id)", noSide, "write lead_id = {user_id}"],
    ["tasks IS NULL", '"tasks" has no column; the other model holds the key',
      "EXISTS (tasks) is true if a row exists, NOT EXISTS (tasks) if no row exists"],
    ["memberships.user_id = {user_id}", `${none("memberships")}; the path goes through "organisation"`,
      "write EXISTS (organisation.memberships WHERE user_id = {user_id})"],
    ["tags.name = 'x'", `${none("tags")}; the path goes through "project_tags"`, "write EXISTS (project_tags.tag WHERE name = 'x')"],
    ["tag.name = 'x'", `${none("tag")}; the path goes through "project_tags"`, "write EXISTS (project_tags.tag WHERE name = 'x')"],
    ["EXISTS (tags WHERE name = 'x')", none("tags"), 'the path goes through "project_tags": write project_tags.tag'],
    ["organisations.name = 'x'", none("organisations"), "write organisation.name"],
    ["watches.watcher_id = {user_id}", none("watches"), declared("watches")],
    ["EXISTS (watches)", none("watches"), declared("watches")],
    ["labels.name = 'x'", none("labels"),
      `the path goes through "project_labels": ${declared("project_labels").replace("declare it:", "declare")}, and write EXISTS (project_labels.label WHERE …)`],
    ["nothing.name = 'x'", none("nothing"), 'the relations of "projects" are organisation, parent, lead, tasks, project_tags'],
    ["organisatoin.name = 'x'", none("organisatoin"), 'did you mean "organisation"?'],
  ])("%s", (text, message, hint) => {
    expectTold(text, message, hint);
  });
});

describe("fields and values", () => {
  const noField = (name: string) => `model "projects" has no field "${name}"`;

  // biome-ignore format: one case a line
  test.each([
    ["status = published", noField("published"), "write the string in quotes: 'published'"],
    ["published != status", noField("published"), "write the string in quotes: 'published'"],
    ["status = Publishd", noField("Publishd"), "write the string in quotes: 'published'"],
    ["stauts = 'published'", noField("stauts"), 'did you mean "status"?'],
    ["title = notess", noField("notess"), 'did you mean "notes"?'],
    ["lead_id = user_id", noField("user_id"), "the caller's value is {user_id}"],
    ["contact = email", noField("email"), "the caller's value is {email}"],
    ["lead_id = user.id", 'model "projects" has no relation called "user"', "the caller's value is {user_id}"],
    ["lead.region = users.region", 'model "projects" has no relation called "users"', "the caller's value is {user.region}"],
    ["this = 1", '"this" is the row itself', "add a field: this.<field>"],
    ["{role} = 'admin'", "one side of a comparison must be a field; lists, ranges and patterns go on the right",
      'put roles into the rule: "role": ["admin", "staff"]'],
    ["title = {user.team.name}", "{user.team.name} goes beyond the caller's row",
      "compare with one column of the caller, such as {user.role}; for other rows, write EXISTS"],
    ["title = {user}", "unknown placeholder {user}", "the caller's value is {user_id}"],
  ])("%s", (text, message, hint) => {
    expectTold(text, message, hint);
  });
});

describe("times", () => {
  const write = "write now() - interval '15 minutes'";
  const onlyNow = "only now() takes an interval: created_at > now() - interval '15 minutes'";
  const units = "units are second, minute, hour and day, such as '15 minutes' or '2 days'";

  // biome-ignore format: one case a line
  test.each([
    ["created_at > now() - '15 minutes'", "expected INTERVAL, found '15 minutes'", write],
    ["created_at > now() - 15 minutes", "expected INTERVAL, found 15", write],
    ["created_at > now() - interval 15 minutes", "expected an interval in single quotes, found 15", write],
    ["created_at < now() + 5", "expected INTERVAL, found 5", "write now() + interval '15 minutes'"],
    ["created_at > now() -15", "expected AND, OR or the end, found -15", "only now() takes + and -, with an interval: now() - interval '15 minutes'"],
    ["created_at + interval '1 day' > now()", "expected an operator, found +", onlyNow],
    ["created_at > now() - interval '2 weeks'", "'2 weeks' is not an interval of one whole number and one unit", units],
    ["budget * 2 > spent", "expected an operator, found *", "arithmetic is not supported"],
  ])("%s", (text, message, hint) => {
    expectTold(text, message, hint);
  });
});

test("garbage is reported at places inside the text, and never throws", () => {
  // biome-ignore format: many a line
  const pieces = fc.constantFrom(
    ...[
      "EXISTS", "EXISTS (", "(", ")", "WHERE", "SELECT", "FROM", "AND", "or", "NOT", "IN", "IN (", ",", "=",
    ],
    ...[
      "tasks", "tasks.title", "this", "this.lead.region", "lead_id", "organisation.memberships", "<", "LIKE",
    ],
    ...["tags.name", "users.id", "title", "status", "published", "details", "lead.password", "{user.level}"],
    ...[
      "{user_id}", "{user.x}", "{user.a.b}", "memberships.user_id", "now()", "now", "-", "+", "*", "interval",
    ],
    ...["'2 days'", "'x'", "'", "5", "-5", "null", "is", "BETWEEN", ".", "𝒂", "\0"],
  );
  const texts = fc.oneof(
    { weight: 9, arbitrary: fc.array(pieces, { maxLength: 9 }).map((all) => all.join(" ")) },
    fc.string(),
  );
  // Most of what is drawn ends at once, so that the start is something that goes on.
  const started = fc
    .tuple(
      fc.constantFrom("", "title = ", "EXISTS (tasks WHERE title = ", "tasks.title IN (", "{user_id} IN ("),
      texts,
    )
    .map(([start, rest]) => start + rest);
  const scope = scopeOf(tracker, "projects");
  fc.assert(
    fc.property(started, (text) => {
      const { condition, problems } = compileCondition(text, scope);
      expect(condition === null).toBe(problems.length > 0);
      for (const { at } of problems) {
        expect(at.offset).toBeGreaterThanOrEqual(0);
        expect(at.offset + at.length).toBeLessThanOrEqual(text.length);
      }
    }),
    { seed: 20, numRuns: 5_000 },
  );
});
