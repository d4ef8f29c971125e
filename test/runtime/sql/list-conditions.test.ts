import { beforeAll, describe, expect, it } from "vitest";
import { caller, callerColumn, contains, eq, gt, not, now, overlaps } from "#runtime/access/index";
import { defineModel } from "#runtime/model/index";
import { conditionSql } from "#runtime/sql/conditions/condition-sql";
import { selectCount } from "#runtime/sql/select-statement";
import { columnsOfTable, plan, sql } from "#runtime/sql/sql";
import { extendUsers } from "#runtime/users/index";
import type { Condition } from "#vocabulary/conditions";
import { type TestDatabase, testDatabase } from "../../support/database.ts";

const none = { relations: {}, uniqueKeys: [], foreignKeys: [] };

const boxes = defineModel({
  ...{ key: "boxes", typeName: "Boxes", table: "boxes", slug: "boxes" },
  ...{ id: "bigint", softDelete: false, maxLimit: 10, ...none },
  fields: {
    tags: { kind: "string[]" },
    marks: { kind: "integer[]" },
    rates: { kind: "decimal[]", decimal: { precision: 6, scale: 2 } },
    ratios: { kind: "float[]" },
    days: { kind: "date[]" },
    price: { kind: "decimal", decimal: { precision: 20, scale: 2 } },
    nothing: { kind: "string[]" },
    empty: { kind: "string[]" },
  },
});
const users = extendUsers({
  ...none,
  fields: {
    level: { kind: "integer" },
    credit: { kind: "decimal", decimal: { precision: 6, scale: 2 } },
    skills: { kind: "string[]" },
  },
});
const models = new Map(Object.entries({ boxes, users }));
const member = { user_id: "1", role: "user", email: "" };
const guest = { user_id: null, role: "guest", email: null };

let db: TestDatabase;

beforeAll(async () => {
  db = await testDatabase();
  await db.query(`
    set timezone = 'UTC';
    create table users (id bigint primary key, role text, level integer, credit numeric(6,2), skills varchar(20)[]);
    insert into users (id, level, credit, skills) values (1, 2, 2.5, '{a,b}');
    create table boxes (
      id bigint generated always as identity primary key, tags varchar(20)[], marks integer[], rates numeric(6,2)[],
      ratios double precision[], days date[], price numeric(20,2), nothing varchar(20)[], empty varchar(20)[]);
    insert into boxes (tags, marks, rates, ratios, days, price, empty)
      select array['a', 'x' || n], array[2, n + 100], array[2.5, 7], array[2.5, 2], array[now()::date], 12345678901234567.89, '{}'
      from generate_series(1, 5000) n;
    create index boxes_tags_idx on boxes using gin (tags);
    create index boxes_marks_idx on boxes using gin (marks);
    analyze boxes`);
});

async function truthOf(condition: Condition, who: typeof member | typeof guest): Promise<unknown> {
  const where = conditionSql(condition, boxes, models, columnsOfTable("t"));
  const made = plan(sql("select (?) as truth from boxes as t where t.id = 1", where));
  const [row] = await db.query(made.statement.text, made.bind([], who));
  return row?.["truth"];
}

describe("what lists are asked", () => {
  const id = caller.user_id;
  const level = callerColumn("level");
  const credit = callerColumn("credit");

  it.each<[string, Condition, member: boolean | null, guest: boolean | null]>([
    ["a value that is there", contains("tags", "a"), true, true],
    ["a value that is not", contains("tags", "b"), false, false],
    ["a part of a value", contains("tags", "x"), false, false],
    ["NULL contains nothing, and nobody knows", contains("nothing", "a"), null, null],
    ["NOT of it", not(contains("nothing", "a")), null, null],
    ["an empty list", contains("empty", "a"), false, false],
    ["NULL, which is in no list", contains("tags", caller.email), null, null],
    ["NULL in an empty list", contains("empty", id), false, null],
    ["NOT of NULL", not(contains("marks", id)), true, null],
    ["one of several", overlaps("tags", ["z", "a"]), true, true],
    ["none of several", overlaps("tags", ["z", "y"]), false, false],
    ["one of several, and NULL", overlaps("tags", ["a", id]), true, true],
    ["none of several, and NULL", overlaps("tags", ["z", id]), false, null],
    ["NOT of that", not(overlaps("tags", ["z", id])), true, null],
    ["NULL alone", overlaps("tags", [caller.email, id]), null, null],
    ["one of several in NULL", overlaps("nothing", ["a"]), null, null],
    ["NULL in an empty list, among several", overlaps("empty", ["a", id]), false, null],
    ["a column of the caller", contains("marks", level), true, null],
    ["one of another type, which is not rounded to 3", contains("marks", credit), false, null],
    ["a whole number among decimals", contains("rates", level), false, null],
    ["a decimal among decimals", overlaps("rates", ["0.00", credit]), true, null],
    ["a whole number among floats", contains("ratios", level), true, null],
    ["the list of the caller", contains(callerColumn("skills"), "b"), true, null],
    ["decimals by value", contains("rates", "7"), true, true],
    ["today", contains("days", now), true, true],
    ["a decimal with more digits than a number has", eq("price", "12345678901234567.89"), true, true],
    ["one that is a cent less", gt("price", "12345678901234567.88"), true, true],
  ])("%s", async (_, condition, ofMember, ofGuest) => {
    expect([await truthOf(condition, member), await truthOf(condition, guest)]).toEqual([ofMember, ofGuest]);
  });

  it("a claim that no element could be is NULL", async () => {
    const stranger = { ...member, user_id: "3000000000" };
    expect(await truthOf(contains("marks", id), stranger)).toBe(null);
  });
});

describe("a GIN index serves them", () => {
  it.each<[string, Condition, index: string]>([
    ["a value", contains("tags", "x7"), "boxes_tags_idx"],
    ["a claim", contains("marks", caller.user_id), "boxes_marks_idx"],
    ["a column of the caller", contains("tags", callerColumn("role")), "boxes_tags_idx"],
    ["several values", overlaps("tags", ["x7", "x8"]), "boxes_tags_idx"],
    ["several values and a claim", overlaps("marks", [107, caller.user_id]), "boxes_marks_idx"],
  ])("%s", async (_, when, index) => {
    const rows = { model: boxes, models, filters: [], scope: { kind: "some", when } as const, searchIn: [] };
    const { statement, bind } = selectCount(rows);
    const lines = await db.query(`explain ${statement.text}`, bind([], member));
    const text = lines.map((line) => line["QUERY PLAN"]).join("\n");
    expect(text).toContain(`Bitmap Index Scan on ${index}`);
    expect(text).not.toContain("Seq Scan on boxes");
  });
});
