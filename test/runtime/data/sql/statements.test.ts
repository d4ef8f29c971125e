import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { conditionSql } from "#runtime/data/sql/conditions/condition";
import { kinds } from "#runtime/data/sql/kinds";
import { storedOnce } from "#runtime/data/sql/records";
import { pageShape, pageSql, selectCount } from "#runtime/data/sql/select-statement";
import { columnsOfTable, plan, sql } from "#runtime/data/sql/sql";
import { extendUsers } from "#runtime/data/users/index";
import { caller, callerColumn, contains, eq, gt, not, now, overlaps } from "#runtime/models/access/index";
import { defineModel } from "#runtime/models/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import type { FieldKind } from "#vocabulary/fields/field-kinds";
import { type TestDatabase, testDatabase } from "../../../support/database.ts";

const sought = { filters: [], searchIn: [] };
const guest = { user_id: null, role: "guest", email: null };

/** The text of a page, and what is bound. */
function pageOf(limit: number, offset: number) {
  const { statement, bind } = plan(pageSql(sql("ROWS"), sought, { limit, offset }));
  return [statement.text, bind([limit, offset], guest)];
}

describe("a page", () => {
  it.each([
    [1, 0, "ROWS limit 1", []],
    [10, 0, "ROWS limit 10", []],
    [100, 0, "ROWS limit 100", []],
    [102, 0, "ROWS limit $1::bigint", [102]],
    [10, 1, "select * from (ROWS limit 16) as window$ limit 10 offset $1::bigint", [1]],
    [10, 6, "select * from (ROWS limit 16) as window$ limit 10 offset $1::bigint", [6]],
    [10, 7, "select * from (ROWS limit 32) as window$ limit 10 offset $1::bigint", [7]],
    [10, 8_182, "select * from (ROWS limit 8192) as window$ limit 10 offset $1::bigint", [8_182]],
    [10, 8_183, "ROWS limit 10 offset $1::bigint", [8_183]],
    [10, Number.MAX_SAFE_INTEGER, "ROWS limit 10 offset $1::bigint", [Number.MAX_SAFE_INTEGER]],
    [1000, 20, "ROWS limit $1::bigint offset $2::bigint", [1000, 20]],
    [1.5, 0, "ROWS limit $1::bigint", [1.5]],
    [Number.NaN, 0, "ROWS limit $1::bigint", [Number.NaN]],
  ])("limit %s, offset %s: %s", (limit, offset, text, values) => {
    expect(pageOf(limit, offset)).toEqual([text, values]);
  });

  it("has the same shape where its SQL is the same, and else another one", () => {
    const limits = [1, 10, 100, 101, 500, 1000];
    const offsets = [0, 1, 5, 7, 100, 8_182, 8_183, 100_000];
    const pages = limits.flatMap((limit) => offsets.map((offset) => ({ limit, offset })));
    const texts = new Map<string, Set<string>>();
    for (const page of pages) {
      const { statement } = plan(pageSql(sql("ROWS"), sought, page));
      texts.set(pageShape(page), (texts.get(pageShape(page)) ?? new Set()).add(statement.text));
    }
    expect([...texts.values()].map(({ size }) => size)).toEqual([...texts].map(() => 1));
    const distinct = new Set([...texts.values()].flatMap((all) => [...all]));
    expect(distinct.size).toBe(texts.size);
  });
});

describe("PostgreSQL's texts as JSON", () => {
  it("equal the output of JSON.stringify for a text", () => {
    const texts = fc.string({ unit: "binary" });
    fc.assert(
      fc.property(texts, (text) => {
        expect(kinds.text.toJson(text)).toBe(JSON.stringify(text));
      }),
    );
  });

  // biome-ignore format: many a line
  it.each([
    "plain", 'a "quote"', "back\\slash", "line\nbreak", "\u0000", "\u001f", "\u007f", "ü, 漢, 🙂", "",
  ])("%j", (text) => {
    expect(kinds.text.toJson(text)).toBe(JSON.stringify(text));
  });

  it("a datetime", () => {
    expect(kinds.datetime.toJson("2026-01-02 03:04:05.6+00")).toBe('"2026-01-02T03:04:05.600Z"');
  });
});

// biome-ignore format: many a line
const withPassword = (name: string, other: string) =>
  defineModel({
    key: "accounts", typeName: "Accounts", table: "accounts", slug: "accounts", id: "bigint",
    softDelete: false, maxLimit: 10,
    fields: { [name]: { kind: "password" as FieldKind }, [other]: { kind: "string" as FieldKind } },
    relations: {}, uniqueKeys: [], foreignKeys: [],
  });

describe("storedOnce", () => {
  let hashed = 0;
  const hash = async (password: string) => `${password} hashed ${++hashed}`;

  it("hashes the passwords of a record once", async () => {
    const model = withPassword("pin", "code");
    const record = { pin: "1", code: "2" };
    expect(await storedOnce(model, record, hash)).toEqual({ pin: "1 hashed 1", code: "2" });
    expect(await storedOnce(model, record, hash)).toEqual({ pin: "1 hashed 1", code: "2" });
  });

  it("hashes the password fields of each model that gets the record", async () => {
    const record = { pin: "1", code: "2" };
    const [one, other] = [withPassword("pin", "code"), withPassword("code", "pin")];
    await storedOnce(one, record, hash);
    expect(await storedOnce(other, record, hash)).toEqual({
      pin: "1",
      code: expect.stringMatching(/^2 hashed/),
    });
  });
});

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
  const where = conditionSql(condition, boxes, models, columnsOfTable(boxes, "t"));
  const made = plan(sql("select (?) as truth from boxes as t where t.id = 1", where));
  const [row] = await db.query(made.statement.text, made.bind([], who));
  return row?.["truth"];
}

describe("operators of lists", () => {
  const id = caller.user_id;
  const level = callerColumn("level");
  const credit = callerColumn("credit");

  it.each<[string, Condition, member: boolean | null, guest: boolean | null]>([
    ["a value that is there", contains("tags", "a"), true, true],
    ["a value that is not", contains("tags", "b"), false, false],
    ["a part of a value", contains("tags", "x"), false, false],
    ["NULL contains nothing, and the result is unknown", contains("nothing", "a"), null, null],
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
    ["only NULL", overlaps("tags", [caller.email, id]), null, null],
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
