import { describe, expect, test } from "vitest";
import { compileCondition } from "#generator/conditions/index";
import { scopeOf } from "../scope-of-models.ts";
import { tracker } from "../tracker.ts";

const compiled = (text: string, model = "projects", models: object = tracker) =>
  compileCondition(text, scopeOf(models, model));
const is = (field: unknown, value: unknown) => ({ op: "eq", field, value });
const exists = (path: string, where: unknown = null) => ({ op: "exists", path, where });
const now = { placeholder: "now" };

describe("paths", () => {
  test.each([
    ["organisation.owner_id = {user_id}", is("organisation.owner_id", { placeholder: "user_id" })],
    ["organisation_id.owner_id.region = 'NL'", is("organisation.owner.region", "NL")],
    ["organisation.billing.paid_until IS NULL", { op: "is_null", field: "organisation.billing.paid_until" }],
    ["this.title = 'a'", is("title", "a")],
    ["this.lead_id.region = 'a'", is("lead.region", "a")],
    [`${"parent.".repeat(6)}title = 'a'`, is(`${"parent.".repeat(6)}title`, "a")],
    ["lead.email = {email}", is("lead.email", { placeholder: "email" })],
  ])("%s", (text, condition) => {
    expect(compiled(text)).toEqual({ condition, written: condition, problems: [] });
  });

  test("outside of EXISTS a relation called `this` keeps its meaning, and within it the row itself has the name", () => {
    const belongsTo = { type: "belongs_to", relationship: { model: "pages" } };
    const children = { type: "has_many", relationship: { model: "pages", foreign_key: "this_id" } };
    const pages = { pages: { schema: { this_id: belongsTo, title: { type: "string" }, children } } };
    const of = (text: string) => compiled(text, "pages", pages);
    expect(of("this.title = 'a'").condition).toEqual(is("this.title", "a"));
    expect(of("EXISTS (this.children)").condition).toEqual(exists("this.children"));
    const where = { op: "eq", field: "title", value: { field: "this.title" } };
    expect(of("EXISTS (children WHERE title = this.title)").condition).toEqual(exists("children", where));
    expect(of("EXISTS (children WHERE this_id.title = 'a')").problems).toMatchObject([
      {
        message: '"this_id" of model "pages" is joined as "this", but within EXISTS "this" is the row itself',
      },
    ]);
  });
});

describe("EXISTS", () => {
  // biome-ignore format: one case a line
  test.each([
    ["EXISTS (tasks)", exists("tasks")],
    ["exists(this.tasks)", exists("tasks")],
    ["EXISTS (parent_id)", exists("parent")],
    ["NOT EXISTS (tasks)", { op: "not", condition: exists("tasks") }],
    ["EXISTS (organisation.memberships where user_id = {user_id})", exists("organisation.memberships", is("user_id", { placeholder: "user_id" }))],
    [
      "EXISTS (tasks.comments WHERE author.region = this.title AND this.lead.region IS NULL)",
      exists("tasks.comments", { op: "and",
        conditions: [is("author.region", { field: "this.title" }), { op: "is_null", field: "this.lead.region" }] }),
    ],
    ["EXISTS (tasks WHERE EXISTS (this.parent_id.tasks WHERE this.title = title OR EXISTS (comments)))",
      exists("tasks", exists("this.parent.tasks", { op: "or", conditions: [is("this.title", { field: "title" }), exists("comments")] }))],
  ])("%s", (text, condition) => {
    expect(compiled(text)).toEqual({ condition, written: condition, problems: [] });
  });

  test("the names of fields within it are those of the model at the end of its path", () => {
    const child = {
      schema: {
        page_id: { type: "belongs_to", relationship: { model: "pages" } },
        null: { type: "boolean" },
      },
    };
    const children = { type: "has_many", relationship: { model: "children", foreign_key: "page_id" } };
    const models = { pages: { schema: { children } }, children: child };
    const text = "EXISTS (children WHERE null = true AND EXISTS (page.children WHERE null IS NULL))";
    expect(compiled(text, "pages", models).condition).toEqual(
      exists("children", {
        op: "and",
        conditions: [is("null", true), exists("page.children", { op: "is_null", field: "null" })],
      }),
    );
    expect(compiled("null = true", "pages", models).problems).toHaveLength(1);
  });
});

describe("two fields", () => {
  // biome-ignore format: one case a line
  test.each([
    ["budget < spent", { op: "lt", field: "budget", value: { field: "spent" } }],
    ["id >= budget", { op: "gte", field: "id", value: { field: "budget" } }],
    ["title <> notes", { op: "ne", field: "title", value: { field: "notes" } }],
    ["contact = lead.email", is("contact", { field: "lead.email" })],
    ["key = other_key", is("key", { field: "other_key" })],
    ["due_on <= begins_on", { op: "lte", field: "due_on", value: { field: "begins_on" } }],
    ["approved_at > parent.created_at", { op: "gt", field: "approved_at", value: { field: "parent.created_at" } }],
    ["is_open != is_public", { op: "ne", field: "is_open", value: { field: "is_public" } }],
  ])("%s", (text, condition) => {
    expect(compiled(text)).toEqual({ condition, written: condition, problems: [] });
  });

  // biome-ignore format: one case a line
  test.each([
    ["budget = title", '"budget" is a number and "title" is a text, which cannot be compared'],
    ["key = title", '"key" is a UUID and "title" is a text, which cannot be compared'],
    ["approved_at = due_on", '"approved_at" is a date and time and "due_on" is a date, which cannot be compared'],
    ["is_open = budget", '"is_open" is a boolean and "budget" is a number, which cannot be compared'],
    ["title = details", '"title" is a text and "details" is JSON, which cannot be compared'],
    ["details = title", '"details" is JSON, which only IS NULL and IS NOT NULL can test'],
    ["is_open < is_public", '"is_open" has no order: it is true or false'],
    ["title = lead.password", '"lead.password" is a password, which cannot be compared'],
    ["organisation.billing.pin = title", '"organisation.billing.pin" is a password, which cannot be compared'],
    ["title LIKE notes", '"notes" is a field, but a value is expected here; compare two fields with = != < <= > >='],
    ["title NOT IN ('a', notes)", '"notes" is a field, but a value is expected here; compare two fields with = != < <= > >='],
    ["budget BETWEEN spent AND 2", '"spent" is a field, but a value is expected here; compare two fields with = != < <= > >='],
  ])("%s is refused", (text, message) => {
    expect(compiled(text)).toMatchObject({ condition: null, problems: [{ message }] });
  });
});

describe("times", () => {
  const offset = (amount: number, unit: string) => ({ ...now, offset: { amount, unit } });

  test.each([
    ["created_at > now() - interval '15 minutes'", offset(-15, "minute")],
    ["created_at > now()-interval '1 minutes'", offset(-1, "minute")],
    ["created_at > NOW( ) + INTERVAL ' 2 Day '", offset(2, "day")],
    ["created_at > now() + interval '3153600000 seconds'", offset(3_153_600_000, "second")],
    ["created_at > now() + interval '0 hours'", offset(0, "hour")],
    ["created_at > now() - interval '0 hours'", offset(0, "hour")],
    ["created_at > now() - interval '36500 days'", offset(-36_500, "day")],
  ])("%s", (text, value) => {
    const condition = { op: "gt", field: "created_at", value };
    expect(compiled(text)).toEqual({ condition, written: condition, problems: [] });
  });

  test("are valid on either side, in lists and ranges, and compared with a date", () => {
    expect(compiled("now() - interval '1 day' < due_on").condition).toEqual({
      op: "gt",
      field: "due_on",
      value: offset(-1, "day"),
    });
    expect(compiled("due_on BETWEEN now() AND now() + interval '2 days'").condition).toMatchObject({
      from: now,
      to: offset(2, "day"),
    });
    expect(compiled("due_on IN (now(), now() - interval '1 day')").problems).toEqual([]);
  });

  test.each([
    ["'36501 days'", "'36501 days' is longer than 36,500 days"],
    ["'876001 hours'", "'876001 hours' is longer than 36,500 days"],
    ["'1.5 hours'", "'1.5 hours' is not an interval of one whole number and one unit"],
    ["'-1 hour'", "'-1 hour' is not an interval of one whole number and one unit"],
    ["'1 week'", "'1 week' is not an interval of one whole number and one unit"],
    ["'1 hour 5 minutes'", "'1 hour 5 minutes' is not an interval of one whole number and one unit"],
    ["'1 daysx'", "'1 daysx' is not an interval of one whole number and one unit"],
    ["'01:00'", "'01:00' is not an interval of one whole number and one unit"],
  ])("interval %s is refused", (span, message) => {
    expect(compiled(`created_at > now() - interval ${span}`).problems).toMatchObject([
      { message, at: { offset: "created_at > now() - interval ".length } },
    ]);
  });

  test("are invalid next to operands that are not times", () => {
    expect(compiled("title = now() - interval '1 day'").problems).toMatchObject([
      { code: "condition-value" },
    ]);
  });
});

describe("the caller's columns", () => {
  // biome-ignore format: one case a line
  test.each([
    ["{user.is_active} = true", is({ user: "is_active" }, true)],
    ["true = {user.is_verified}", is({ user: "is_verified" }, true)],
    ["{user.created_at} < now()", { op: "lt", field: { user: "created_at" }, value: now }],
    ["{user.role} IN ('a', 'b')", { op: "in", field: { user: "role" }, values: ["a", "b"] }],
    ["{user.team_id} = lead.team_id", is("lead.team_id", { user: "team_id" })],
    ["lead.team_id NOT IN ({user.team_id})", { op: "not_in", field: "lead.team_id", values: [{ user: "team_id" }] }],
    ["{user.region} = {user.role}", is({ user: "region" }, { user: "role" })],
    ["{user.region} IS NOT NULL", { op: "is_not_null", field: { user: "region" } }],
    ["null = {user.region}", { op: "is_null", field: { user: "region" } }],
    ["budget BETWEEN 0 AND {user.level}", { op: "between", field: "budget", from: 0, to: { user: "level" } }],
    ["{user.level} BETWEEN 1 AND 3", { op: "between", field: { user: "level" }, from: 1, to: 3 }],
    ["title LIKE {user.region}", { op: "like", field: "title", value: { user: "region" } }],
    ["{user.region} ILIKE 'n%'", { op: "ilike", field: { user: "region" }, value: "n%" }],
    ["{user_id} = {user.team_id}", is({ user: "team_id" }, { placeholder: "user_id" })],
    ["EXISTS (tasks WHERE title = {user.region})", exists("tasks", is("title", { user: "region" }))],
  ])("%s", (text, condition) => {
    expect(compiled(text)).toEqual({ condition, written: condition, problems: [] });
  });

  const all =
    "{user.created_at}, {user.role}, {user.is_verified}, {user.is_active}, {user.team_id}, {user.level}, {user.region}, {user.credit}, {user.skills}";
  const written = '"access.fields" of "users" lets "user" write it, so callers can set it for themselves';
  test.each([
    ["id", "it is in the credential", "write {user_id}"],
    ["email", "the caller can change it", "write {email}"],
    ["first_name", "the caller can change it", `allowed columns are ${all}`],
    ["phone_number", "the caller can change it", `allowed columns are ${all}`],
    ["last_login_at", "the caller can change it", `allowed columns are ${all}`],
    ["updated_at", "the caller can change it", `allowed columns are ${all}`],
    ["password", "it is a password", `allowed columns are ${all}`],
    ["secret", "it is a password", `allowed columns are ${all}`],
    ["nick", written, 'use a field that only "admin", "system" and "superadmin" write'],
    ["team", "it is a relation, not a column", "write {user.team_id}"],
    ["badges", "it is a relation, not a column", `allowed columns are ${all}`],
    ["regoin", '"users" has no such field', 'did you mean "region"?'],
    ["constructor", '"users" has no such field', `allowed columns are ${all}`],
  ])("{user.%s} is refused", (name, reason, hint) => {
    expect(compiled(`title = {user.${name}}`).problems).toEqual([
      {
        code: "condition-field",
        at: { offset: 8, length: name.length + 7 },
        message: `{user.${name}} cannot be used in a condition: ${reason}`,
        hint,
      },
    ]);
  });

  test("a built-in column stays allowed, regardless of the gates of the accounts", () => {
    const users = { access: { fields: { role: { write: ["admin"] } } } };
    expect(compiled("{user.role} = 'a'", "teams", { ...tracker, users }).problems).toEqual([]);
  });

  test.each([
    [["admin", "system", "superadmin"], []],
    [["self"], ["self"]],
    [["admin", "staff"], ["staff"]],
    [["*"], ["*"]],
    [["signed_in"], ["signed_in"]],
  ])("a column that %j write is refused for the roles %j", (write, refused) => {
    const users = { fields: { plan: { type: "string" } }, access: { fields: { plan: { write } } } };
    const { problems } = compiled("{user.plan} = 'a'", "teams", { ...tracker, users });
    const roles = refused.map((role) => JSON.stringify(role)).join(", ");
    const message = `{user.plan} cannot be used in a condition: "access.fields" of "users" lets ${roles} write it, so callers can set it for themselves`;
    expect(problems.map((problem) => problem.message)).toEqual(refused.length === 0 ? [] : [message]);
  });

  test("fit what they are compared with", () => {
    const message = '"budget" is a number and "{user.region}" is a text, which cannot be compared';
    expect(compiled("budget = {user.region}").problems).toMatchObject([{ code: "condition-value", message }]);
    expect(compiled("budget IN (1, {user.region})").problems).toMatchObject([{ message }]);
    expect(compiled("{user.level} = 'a'").problems).toMatchObject([{ code: "condition-value" }]);
    expect(compiled("{user.is_active} < true").problems).toMatchObject([{ code: "condition-operator" }]);
  });
});

describe("limits", () => {
  const problems = (text: string) => compiled(text).problems.map(({ code, message }) => [code, message]);
  const times = (count: number, text: string) => Array.from({ length: count }, () => text).join(" AND ");

  test("a path goes over 6 relations", () => {
    const path = "parent.".repeat(7);
    const message = `"${path.slice(0, -1)}" uses 7 relations, more than 6`;
    expect(problems(`${path}title = 'a'`)).toEqual([["condition-field", message]]);
    expect(problems(`EXISTS (${"parent.".repeat(5)}tasks)`)).toEqual([]);
    expect(problems(`EXISTS (this.${"parent.".repeat(5)}tasks)`)).toEqual([]);
    expect(problems(`EXISTS (${"parent.".repeat(6)}tasks)`)[0]?.[1]).toContain("uses 7 relations");
  });

  test("EXISTS stands 3 deep", () => {
    const deep = (levels: number): string =>
      levels === 0 ? "title = 'a'" : `EXISTS (this.parent WHERE ${deep(levels - 1)})`;
    expect(problems(deep(3))).toEqual([]);
    expect(problems(deep(4))).toEqual([["condition-too-deep", "more than 3 levels of EXISTS"]]);
    expect(problems(times(5, deep(3)))).toEqual([]);
  });

  test("16 relations are written in one condition, those of each path and each EXISTS", () => {
    const four = "EXISTS (this.parent.tasks WHERE assignee.region = this.lead.region)";
    expect(problems(times(4, four))).toEqual([]);
    const message = "the condition uses 17 relations, more than 16";
    expect(problems(`${times(4, four)} AND lead.region = 'a'`)).toEqual([["condition-too-large", message]]);
    const { offset } = compiled(`${times(4, four)} AND lead.region = 'a'`).problems[0]?.at ?? {};
    expect(offset).toBe(times(4, four).length + " AND ".length);
  });

  test("a condition has 4,000 characters, an emoji being one", () => {
    const long = (length: number) => {
      const start = "EXISTS (tasks) AND notes = '";
      return `${start}${"😀".repeat(length - start.length - 1)}'`;
    };
    expect(problems(long(4_000))).toEqual([]);
    const message = "the condition has 4001 characters, more than 4000";
    expect(problems(long(4_001))).toEqual([["condition-too-large", message]]);
    expect(compiled(long(4_001)).problems[0]?.at).toEqual({ offset: long(4_001).length - 1, length: 1 });
  });

  test.each([
    ["two fields", "title = notes"],
    ["a column of the caller", "{user.is_active} = true"],
    ["a span of time", "created_at > now() - interval '1 day'"],
    ["a longer path", "lead.team.name = 'a'"],
    ["a has_one", "organisation.billing.paid_until IS NULL"],
    ["this.", "this.title = 'a'"],
  ])("hold for a condition with %s", (_, form) => {
    const over = `${form} AND ${times(17, "lead.region = 'a'")} AND notes = '${"x".repeat(4_000)}'`;
    expect(problems(over).map(([code]) => code)).toEqual(["condition-too-large", "condition-too-large"]);
  });

  test("say nothing of conditions without the newer forms", () => {
    expect(problems(`${times(40, "lead.region = {role}")} AND notes = '${"x".repeat(9_000)}'`)).toEqual([]);
  });
});
