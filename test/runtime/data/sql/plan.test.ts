import { beforeAll, describe, expect, it } from "vitest";
import { change } from "#runtime/data/sql/change-statement";
import { insertOne } from "#runtime/data/sql/insert-statement";
import { selectCount, selectPage } from "#runtime/data/sql/select-statement";
import {
  every,
  join,
  type Plan,
  PlanCache,
  plan,
  policyValue,
  requestList,
  requestValue,
  Slot,
  sharedLock,
  sql,
} from "#runtime/data/sql/sql";
import { and, caller, callerColumn, eq, isIn, ne } from "#runtime/models/access/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import { found, tenantModels, tenantTables } from "../../../hostile/support/tenants.ts";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";

const guest = { user_id: null, role: "guest", email: null };

describe("plan", () => {
  it("numbers slots in the order of the text, and equal slots share a number", () => {
    const piece = sql(
      "select ? from ?? where ? and ?",
      requestValue(1, "text"),
      'odd "name"',
      sql("a = ?", requestValue(0, "integer")),
      join([requestValue(1, "text"), requestList(2, "uuid")], " or "),
    );
    const made = plan(piece);
    expect(made.statement.text).toBe(
      'select $1::text from "odd ""name""" where a = $2::integer and $1::text or $3::uuid[]',
    );
    expect(made.bind([7, "x", ["u"]], guest)).toEqual(["x", 7, ["u"]]);
  });

  it("a shared lock becomes an exclusive one when the statement is retried", () => {
    const literal = policyValue("for share");
    const { statement } = plan(sql("select from a where b = ? ?", literal, sharedLock));
    expect(statement.text).toBe("select from a where b = 'for share' for share");
    expect(statement.again?.text).toBe("select from a where b = 'for share' for no key update");
    expect(statement.again?.name).not.toBe(statement.name);
    expect(plan(literal).statement.again).toBeUndefined();
  });

  it("names equal texts alike, and different ones differently", () => {
    const one = plan(sql("select ?", requestValue(0, "text")));
    const same = plan(sql("select ?", requestValue(5, "text")));
    const other = plan(sql("select ?", requestValue(0, "uuid")));
    expect(one.statement).toEqual(same.statement);
    expect(one.statement.name).not.toBe(other.statement.name);
    expect(one.statement.name).toMatch(/^[\w-]{22}$/);
  });

  it("literals of a policy are in the text, for PostgreSQL's planner, and cannot end its quotes", () => {
    const value = (literal: string | number | boolean) => sql("?::text", policyValue(literal));
    const made = plan(join([value(1), value("it's ? $1"), value("\\'"), value(true)], ", "));
    expect(made.statement.text).toBe("'1'::text, 'it''s ? $1'::text,  E'\\\\'''::text, 'true'::text");
    expect(made.bind([], guest)).toEqual([]);
  });

  it("refuses values that are not slots: only slots become parameters", () => {
    expect(() => plan(sql("select ?", "a text"))).toThrow();
    expect(() => plan(sql("select ??", requestValue(0, "text")))).toThrow();
    expect(() => plan(sql("select ?"))).toThrow();
    expect(() => plan(sql("select 1", "a text"))).toThrow();
  });

  it("a question mark in a name is a part of it", () => {
    const made = plan(sql("select ?? = ?", "what?", requestValue(0, "text")));
    expect(made.statement.text).toBe('select "what?" = $1::text');
  });

  it("every of nothing holds", () => {
    expect(plan(every([])).statement.text).toBe("true");
  });
});

describe("claims of the caller", () => {
  const claim = (
    name: "user_id" | "role" | "email",
    kind: "text" | "bigint" | "integer" | "uuid" | "date",
    pattern = false,
  ) => plan(sql("?", new Slot({ from: "caller", claim: name, type: kind, pattern })));

  it.each<[string | null, unknown, unknown]>([
    ["1", "1", "1"],
    ["-5", "-5", "-5"],
    ["2147483648", null, "2147483648"],
    ["9223372036854775808", null, null],
    ["", null, null],
    ["abc", null, null],
    ["1 or 1=1", null, null],
    ["1.0", null, null],
    [null, null, null],
  ])("a subject %j is %j as an integer and %j as a bigint", (user_id, integer, bigint) => {
    const who = { ...guest, user_id };
    expect(claim("user_id", "integer").bind([], who)).toEqual([integer]);
    expect(claim("user_id", "bigint").bind([], who)).toEqual([bigint]);
  });

  it("a claim that is too long to look for matches nothing", () => {
    const email = (length: number) => ({ ...guest, email: "é".repeat(length) });
    expect(claim("email", "text", true).bind([], email(256))).toEqual(["é".repeat(256)]);
    expect(claim("email", "text", true).bind([], email(257))).toEqual([null]);
    expect(claim("email", "text").bind([], email(257))).toEqual(["é".repeat(257)]);
  });

  it("an e-mail in a pattern is escaped", () => {
    const who = { ...guest, email: "a%_\\@b" };
    expect(claim("email", "text", true).bind([], who)).toEqual(["a\\%\\_\\\\@b"]);
    expect(claim("email", "text").bind([], who)).toEqual(["a%_\\@b"]);
    expect(claim("email", "text").bind([], { ...guest, email: "a\0b" })).toEqual([null]);
    expect(claim("email", "date").bind([], who)).toEqual([null]);
    expect(claim("email", "uuid").bind([], guest)).toEqual([null]);
  });
});

describe("PlanCache", () => {
  it("makes a plan once, and forgets the oldest of very many", () => {
    const cache = new PlanCache();
    let made = 0;
    const make = () => {
      made++;
      return plan(sql("true"));
    };
    for (let n = 0; n < 5000; n++) cache.of(`k${n}`, make);
    cache.of("k0", make);
    expect(made).toBe(5000);
    cache.of("one more", make);
    cache.of("k0", make);
    expect(made).toBe(5002);
    cache.of("k4999", make);
    expect(made).toBe(5002);
  });
});

const model = tenantModels.tasks;
const models = new Map(Object.entries(tenantModels));
const who = { user_id: "77", role: "user", email: null };
const me = caller.user_id;

describe("how PostgreSQL runs conditions over relations, with 50,000 tasks", () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
    await db.query(tenantTables);
    await db.query(`
      set session_replication_role = replica;
      insert into users (id, team) select n, 'red' from generate_series(1, 1000) n;
      insert into organisations (id, owner_id) select n, n from generate_series(1, 1000) n;
      insert into memberships (organisation_id, user_id, role) select n, n % 1000 + 1, 'owner' from generate_series(1, 1000) n;
      insert into projects (id, organisation_id) select n, n % 1000 + 1 from generate_series(1, 5000) n;
      insert into tasks (project_id, assignee_id) select n % 5000 + 1, n % 1000 + 1 from generate_series(1, 50000) n;
      analyze;`);
  });

  async function explained(plan: Plan, values: readonly (string | number | null)[]): Promise<string> {
    const rows = await db.query(`explain ${plan.statement.text}`, plan.bind(values, who));
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  }

  const rowsOf = (when: Condition) => ({
    model,
    models,
    filters: [],
    scope: { kind: "some", when } as const,
    searchIn: [],
  });

  // biome-ignore format: one case a line
  const conditions: [string, Condition][] = [
    ["over belongs_to relations", eq("project.organisation.owner_id", me)],
    ["EXISTS over a has_many", found("project.organisation.memberships", and(eq("user_id", me), isIn("role", ["owner", "admin"])))],
  ];

  it.each(conditions)("%s: reads begin at the rows of the caller, writes at their own", async (_, when) => {
    const rows = rowsOf(when);
    const order = { orderBy: "id", descending: false };
    // biome-ignore format: one case a line
    const plans: [Plan, (string | number | null)[]][] = [
      [selectCount(rows), []],
      [selectPage({ ...rows, ...order, columns: ["id"], limit: 20, offset: 0, total: true }), [20, 0]],
      [insertOne(model, models, rows.scope, ["id"]), [1, null, 1, 1, "c", "t", null, null]],
      [change({ ...rows, fetches: rows.scope, target: { by: "ids" }, write: { kind: "update", fields: ["title"] }, sees: "live", locked: false }),
        ["{7}", 1, "x"]],
    ];
    for (const [plan, values] of plans) expect(await explained(plan, values)).not.toMatch(/Seq Scan/);
  });

  it("a column of the caller is looked up once, not for each row", async () => {
    const when = and(eq("assignee.team", callerColumn("team")), ne(callerColumn("role"), "guest"));
    const plan = await explained(selectCount(rowsOf(when)), []);
    expect(plan.match(/^ *InitPlan/gm)).toHaveLength(2);
    expect(plan).not.toMatch(/SubPlan/);
  });
});
