import { beforeEach, describe, expect, it } from "vitest";
import {
  ago,
  and,
  between,
  caller,
  callerColumn,
  eq,
  field,
  fromNow,
  gt,
  isIn,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  ne,
  not,
  notIn,
  now,
  or,
} from "#runtime/models/access/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import { call, model, mounted, type ShortField, sameRules, token } from "../support/model-service.ts";
import { expectEnvelope } from "../support/scenarios.ts";
import { startWorld } from "./support/models.ts";
import { emptyTables, found, type Rules, tenantWorld } from "./support/tenants.ts";

const me = caller.user_id;
const organisation = "project.organisation";
const member = (where: Condition) => found("project.organisation.memberships", and(eq("user_id", me), where));

/**
 * Tasks 1 and 2 are in project 1 of organisation 1, 3 in project 2 of organisation 2, 4 in a deleted project of organisation 1, 5
 * in project 4 of a deleted organisation, 6 in none, 7 in a project of none. The caller is user 1.
 */
const rows = `
  insert into users (id, role, team, is_active, level) values (1, 'user', 'red', true, 3), (2, 'user', 'blue', false, 5), (3, 'user', null, true, null);
  insert into organisations (id, name, owner_id, founded, deleted_at) values
    (1, 'red', 1, current_date, null), (2, 'blue', 2, current_date - 1, null), (3, 'gone', 1, null, now());
  insert into plans (id, organisation_id, tier, deleted_at) values
    (1, 1, 'dead', now()), (2, 1, 'gold', null), (3, 1, 'late', null), (4, 2, 'dead', now());
  insert into memberships (id, organisation_id, user_id, role, deleted_at) values
    (1, 1, 1, 'owner', null), (2, 2, 1, 'owner', now()), (3, 2, 2, 'owner', null), (4, 1, 2, 'guest', null), (5, 3, 1, 'owner', null),
    (6, 2, 1, 'guest', null);
  insert into suspensions (id, membership_id, reason, deleted_at) values (1, 6, 'late', null), (2, 1, 'old', now());
  insert into bans (id, organisation_id, user_id, reason, deleted_at) values (1, 1, 3, 'spam', null), (2, 1, 1, 'old', now());
  insert into projects (id, organisation_id, status, lead_id, deleted_at) values
    (1, 1, 'open', 1, null), (2, 2, 'open', 2, null), (3, 1, 'open', 1, now()), (4, 3, 'open', 1, null), (5, null, 'shut', null, null);
  insert into tasks (id, project_id, parent_id, assignee_id, reporter_id, title, due, day) values
    (1, 1, null, 1, 1, 'a', now() - interval '10 minutes', current_date), (2, 1, 1, 2, 1, 'b', now() + interval '10 minutes', current_date + 1),
    (3, 2, null, 1, 2, 'a', now() - interval '3 days', current_date - 3), (4, 3, 2, 1, 1, 'a', null, null),
    (5, 4, null, null, null, 'b', null, null), (6, null, 1, 3, 1, 'a', null, null), (7, 5, null, 3, 3, 'b', null, null);
`;

/** A condition by name, and the tasks for which it holds. */
// biome-ignore format: one case a line
const cases: readonly [string, Condition, number[]][] = [
  ["one belongs_to", eq("project.status", "open"), [1, 2, 3, 5]],
  ["two, with a deleted row in between", eq(`${organisation}.owner_id`, me), [1, 2]],
  ["to an internal model", eq(`${organisation}.owner.team`, "blue"), [3]],
  ["NOT of what is unknown", not(eq(`${organisation}.owner_id`, me)), [3]],
  ["NOT of NOT", not(not(eq(`${organisation}.owner_id`, me))), [1, 2]],
  ["IS NULL over no row", isNull(`${organisation}.owner_id`), [4, 5, 6, 7]],
  ["IS NOT NULL", isNotNull(`${organisation}.owner_id`), [1, 2, 3]],
  ["NOT IS NOT NULL", not(isNotNull("project.status")), [4, 6]],
  ["<> over no row", ne("project.status", "shut"), [1, 2, 3, 5]],
  ["IN and NOT IN", and(isIn("project.status", ["open"]), notIn(`${organisation}.name`, ["blue"])), [1, 2]],
  ["BETWEEN and LIKE", and(between(`${organisation}.id`, 1, 2), like(`${organisation}.name`, "%l%")), [3]],
  ["has_one: the first live row by id", eq(`${organisation}.plan.tier`, "gold"), [1, 2]],
  ["has_one: not a later one", eq(`${organisation}.plan.tier`, "late"), []],
  ["has_one: none but a deleted one", isNull(`${organisation}.plan.tier`), [3, 4, 5, 6, 7]],
  ["has_one in EXISTS", found(`${organisation}.plan`, eq("tier", "gold")), [1, 2]],
  ["has_one in EXISTS, a later one", found(`${organisation}.plan`, eq("tier", "late")), []],
  ["has_one in NOT EXISTS", not(found(`${organisation}.plan`)), [3, 4, 5, 6, 7]],
  ["EXISTS without WHERE", found("subtasks"), [1, 2]],
  ["EXISTS over has_many", found(`${organisation}.memberships`, eq("user_id", me)), [1, 2, 3]],
  ["EXISTS: both of one row", member(isIn("role", ["owner", "admin"])), [1, 2]],
  ["NOT EXISTS", not(member(eq("role", "owner"))), [3, 4, 5, 6, 7]],
  ["EXISTS within EXISTS", member(found("suspensions")), [3]],
  ["NOT EXISTS within EXISTS", member(not(found("suspensions"))), [1, 2]],
  ["EXISTS within NOT EXISTS", not(found(`${organisation}.memberships`, found("suspensions", eq("reason", "late")))), [1, 2, 4, 5, 6, 7]],
  ["this. one level deep", found("subtasks", eq("title", field("this.title"))), [1]],
  ["this. over a path", found(`${organisation}.memberships`, eq("user_id", field("this.assignee_id"))), [1, 2, 3]],
  [
    "this. two levels deep",
    found(`${organisation}.memberships`, and(eq("role", "owner"), found("user", and(eq("id", field("this.assignee_id")), eq("this.title", "a"))))),
    [1],
  ],
  ["EXISTS from this.", found("parent", found("this.subtasks")), [2]],
  ["a path within EXISTS", found(`${organisation}.memberships`, eq("user.team", "blue")), [1, 2, 3]],
  ["its own table", found("parent", and(eq("title", "a"), isNull("parent_id"))), [2, 6]],
  ["two fields", eq("assignee_id", field("reporter_id")), [1, 4, 7]],
  ["two fields, both over paths", eq("project.lead_id", field("assignee_id")), [1]],
  ["a path on the right", ne("assignee_id", field("project.lead_id")), [2, 3]],
  ["numbers of two kinds", lt("assignee_id", field("assignee.level")), [1, 2, 3, 4]],
  ["now, of a datetime", lte("due", now), [1, 3]],
  ["a while ago", gt("due", ago(15, "minute")), [1, 2]],
  ["days ago", gt("due", ago(2, "day")), [1, 2]],
  ["from now", lt("due", fromNow(15, "minute")), [1, 2, 3]],
  ["now, of a date", eq("day", now), [1]],
  ["a date in the future", gt("day", fromNow(0, "day")), [2]],
  ["a date over a path", eq(`${organisation}.founded`, now), [1, 2]],
  ["a column of the caller", eq("assignee.team", callerColumn("team")), [1, 3, 4]],
  ["only a caller's column", eq(callerColumn("is_active"), true), [1, 2, 3, 4, 5, 6, 7]],
  ["against a field of a path", eq(callerColumn("level"), field("assignee.level")), [1, 3, 4]],
  ["OR of both", or(eq("title", "b"), member(eq("role", "owner"))), [1, 2, 5, 7]],
];

describe("conditions over relations, read", async () => {
  const rules = Object.fromEntries(cases.map(([, condition], index) => [`r${index}`, condition]));
  const noTeam = notIn(callerColumn("team"), ["x"]);
  const withoutTeam = {
    no_team: or(noTeam, eq("title", callerColumn("team"))),
    without: isNull(callerColumn("team")),
    pattern: like("title", callerColumn("team")),
    no_pattern: not(like("title", callerColumn("team"))),
  };
  const world = await tenantWorld({ tasks: { ...rules, ...withoutTeam } });

  beforeEach(async () => {
    await world.db.query(emptyTables + rows);
  });

  const ids = (list: readonly { readonly id?: unknown }[]) => list.map(({ id }) => id);

  async function get(path: string, role: string, user = "1") {
    const reply = await world.send(call(`GET ${path}`, undefined, token(role, user)));
    expectEnvelope(reply, { path });
    expect(reply.status, reply.text).toBe(200);
    return reply.json.data;
  }

  async function graphql(query: string, role: string) {
    const reply = await world.send(call("POST /graphql", { query }, token(role, "1")));
    expect(reply.status, reply.text).toBe(200);
    return JSON.parse(reply.text).data;
  }

  it.each(cases.map(([name, , found], index) => [name, `r${index}`, found] as const))(
    "%s",
    async (_, role, found) => {
      expect(ids(await get("/tasks/fetch", role))).toEqual(found);
      expect(await get("/tasks/count", role)).toEqual({ count: found.length });
      expect(await get("/tasks/exists?title=b", role)).toEqual({
        exists: found.some((id) => [2, 5, 7].includes(id)),
      });
      expect(ids(await get("/tasks/search?search_term=a", role))).toEqual(
        found.filter((id) => [1, 3, 4, 6].includes(id)),
      );
      expect(ids(await get("/tasks/fetch?page=1&limit=2&order_by=id&order=DESC", role))).toEqual(
        [...found].reverse().slice(0, 2),
      );
      const read = await graphql("{ tasks { id } tasks_aggregate { count max { id } } }", role);
      expect(ids(read.tasks)).toEqual(found);
      const [figures] = read.tasks_aggregate;
      expect([figures.count, figures.max_id]).toEqual([found.length, found.at(-1) ?? null]);
      const joined = await graphql("{ tasks(id: { gt: 0 }) { id parent { id } subtasks { id } } }", role);
      const reached = (task: { parent: { id: number } | null; subtasks: { id: number }[] }) =>
        [...(task.parent === null ? [] : [task.parent.id]), ...ids(task.subtasks)].map(Number);
      for (const id of joined.tasks.flatMap(reached)) expect(found).toContain(id);
      for (const [child, above] of [
        [2, 1],
        [4, 2],
        [6, 1],
      ] as const)
        if (found.includes(child) && found.includes(above)) {
          const task = joined.tasks.find((one: { id: number }) => one.id === child);
          expect(task.parent).toEqual({ id: above });
        }
    },
  );

  it("a caller without a row, a guest: NULL and not an empty set", async () => {
    expect(await get("/tasks/fetch", "no_team", "99")).toEqual([]);
    expect(await get("/tasks/fetch", "no_team", "3")).toEqual([]);
    expect(ids(await get("/tasks/fetch", "no_team", "1"))).toHaveLength(7);
    for (const user of ["99", "3", "no number"])
      expect(ids(await get("/tasks/fetch", "without", user))).toHaveLength(7);
    expect(await get("/tasks/fetch", "without", "1")).toEqual([]);
  });

  it("a caller's column in LIKE is escaped, and is NULL if it is longer than a pattern can be", async () => {
    const emoji = "\u{1f600}";
    const matching = async (team: string, title: string) => {
      await world.db.query("update users set team = $1 where id = 1", [team]);
      await world.db.query("update tasks set title = case id when 1 then $1 else 'b' end", [title]);
      const [found, others] = [await get("/tasks/fetch", "pattern"), await get("/tasks/fetch", "no_pattern")];
      return [found.length, others.length];
    };
    expect(await matching("r%_\\d", "r%_\\d")).toEqual([1, 6]);
    expect(await matching("r%d", "rod")).toEqual([0, 7]);
    expect(await matching(emoji.repeat(256), emoji.repeat(256))).toEqual([1, 6]);
    expect(await matching("_".repeat(256), "_".repeat(256))).toEqual([1, 6]);
    expect(await matching("x".repeat(257), "x".repeat(257))).toEqual([0, 0]);
  });
});

interface OfType {
  readonly field: ShortField;
  /** Less than the caller's, the caller's own in another form, and more than it. */
  readonly values: readonly [string, string, string];
  readonly caller: string;
}

const decimal: ShortField = { kind: "decimal", nullable: true, decimal: { precision: 20, scale: 2 } };

// biome-ignore format: one case a line
const types = { string: { field: "string?", values: ["re", "red", "ree"], caller: "red" },
  text: { field: "text?", values: ["R%d", "r%d", "rod"], caller: "r%d" },
  integer: { field: "integer?", values: ["-9", "10", "11"], caller: "10" },
  bigint: { field: "int64?", values: ["9007199254740992", "9007199254740993", "9007199254740994"], caller: "9007199254740993" },
  decimal: { field: decimal, values: ["123456789012345678.11", "123456789012345678.12", "123456789012345678.13"], caller: "123456789012345678.12" },
  boolean: { field: "boolean?", values: ["false", "true", "false"], caller: "true" },
  date: { field: "date?", values: ["2024-02-28", "2024-02-29", "2024-03-01"], caller: "2024-02-29" },
  datetime: { field: "datetime?", values: ["2024-02-29T11:59:59.999Z", "2024-02-29T13:00:00+01", "2024-02-29T12:00:00.001Z"],
    caller: "2024-02-29T12:00:00Z" },
  time: { field: "time?", values: ["07:59:59", "08:00:00", "08:00:01"], caller: "08:00:00" },
  uuid: { field: "uuid?", caller: "00000000-0000-4000-8000-00000000000b",
    values: ["00000000-0000-4000-8000-00000000000a", "00000000-0000-4000-8000-00000000000B", "00000000-0000-4000-8000-00000000000c"] },
} satisfies Record<string, OfType>;

type Type = keyof typeof types;

const names = Object.keys(types) as Type[];
const fields = {
  label: "string?",
  ...Object.fromEntries(names.map((name) => [`a_${name}`, types[name].field])),
} as const;

const mine = (name: Type) => callerColumn(`a_${name}`);

/** What a rule says, and the rows that it opens: 1 is less, 2 equal, 3 more, 4 NULL. */
// biome-ignore format: one case a line
const forms: readonly [string, (name: Type) => Condition, readonly number[], readonly Type[]][] = [
  ["equal", (name) => eq(`a_${name}`, mine(name)), [2], names],
  ["in", (name) => isIn(`a_${name}`, [mine(name)]), [2], names],
  ["not in", (name) => notIn(`a_${name}`, [mine(name)]), [1, 3], names],
  ["not", (name) => not(eq(`a_${name}`, mine(name))), [1, 3], names],
  ["less", (name) => lt(`a_${name}`, mine(name)), [1], names.filter((name) => name !== "boolean" && name !== "text")],
  ["like", (name) => like(`a_${name}`, mine(name)), [2], ["string", "text"]],
];

const ofCaller = forms.flatMap(([form, condition, found, of]) =>
  of.map((name) => ({ role: `${name} ${form}`, condition: condition(name), found })),
);

const things = model("things", fields);
const users = model("users", fields);

describe("a column of the caller", async () => {
  const rules: Rules = {
    ...Object.fromEntries(ofCaller.map(({ role, condition }) => [role, condition])),
    without: isNull(mine("text")),
  };
  const anyOf: Condition = or(...ofCaller.map(({ condition }) => condition));
  const world = await startWorld({
    models: [mounted(things, sameRules({ ...rules, guest: anyOf }))],
    internalModels: [users],
  });
  const list = (pick: (type: OfType) => string) => names.map((name) => `'${pick(types[name])}'`).join();
  await world.db.query(`insert into users (id) values (2)`);
  await world.db.query(`insert into users values (1, null, ${list(({ caller }) => caller)})`);
  for (const index of [0, 1, 2] as const)
    await world.db.query(
      `insert into things values (${index + 1}, null, ${list(({ values }) => values[index])})`,
    );
  await world.db.query("insert into things (id) values (4)");

  async function reached(role: string, user: string): Promise<unknown[][]> {
    const reply = await world.send(call("GET /things/fetch?select_fields=id", undefined, token(role, user)));
    expectEnvelope(reply, role);
    const query = "{ things { id } }";
    const graphql = await world.send(call("POST /graphql", { query }, token(role, user)));
    const read = JSON.parse(graphql.text).data;
    const written = [];
    for (const id of [1, 2, 3, 4]) {
      const body = { where: { id }, data: { label: role } };
      const { status } = await world.send(call("PUT /things/update", body, token(role, user)));
      expect([200, 403]).toContain(status);
      if (status === 200) written.push(id);
    }
    const ids = (rows: readonly { readonly id?: unknown }[]) => rows.map(({ id }) => Number(id));
    return [ids(reply.json.data), ids(read.things), written];
  }

  it.each(ofCaller)("$role", async ({ role, found }) => {
    expect(await reached(role, "1")).toEqual([found, found, found]);
  });

  it.each(["2", "99", "9".repeat(30), "no number"])("is NULL for caller %s", async (user) => {
    for (const { role } of ofCaller) expect([role, await reached(role, user)]).toEqual([role, [[], [], []]]);
    const all = [1, 2, 3, 4];
    expect(await reached("without", user)).toEqual([all, all, all]);
  });

  it("is NULL for a guest", async () => {
    const { status, json } = await world.send({ path: "/things/fetch" });
    expect([status, json.data]).toEqual([200, []]);
  });
});
