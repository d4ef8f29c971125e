import { expect, test } from "vitest";
import { needsConversion, typeChange } from "#generator/migrations/conversion";
import { stepToSql } from "#runtime/migrations/runner/steps/steps-to-sql";
import type { ColumnType } from "#vocabulary/migrations/migration-steps";
import { testDatabase } from "../../support/database.ts";

const place = { table: "rows", column: "x" };

// biome-ignore format: one case a line
test.each([
  ["integer", "bigint", "widening", undefined],
  ["integer", "numeric(12,2)", "widening", undefined],
  ["integer", "numeric(11,2)", "destructive", "fails on numbers of more than 9 digits before the point"],
  ["bigint", "integer", "destructive", "fails on numbers over 2147483647"],
  ["bigint", "numeric(19,0)", "widening", undefined],
  ["bigint", "numeric(18,0)", "destructive", "fails on numbers of more than 18 digits before the point"],
  ["numeric(9,0)", "integer", "widening", undefined],
  ["numeric(12,2)", "integer", "destructive", "rounds to whole numbers, and fails on those over 2147483647"],
  ["numeric(9,2)", "bigint", "destructive", "rounds to whole numbers"],
  ["numeric(18,0)", "bigint", "widening", undefined],
  ["numeric(5,2)", "numeric(9,2)", "widening", undefined],
  ["numeric(5,2)", "numeric(9,4)", "widening", undefined],
  ["numeric(5,2)", "numeric(9,1)", "destructive", "rounds to 1 decimal"],
  ["numeric(5,2)", "numeric(4,1)", "destructive", "rounds to 1 decimal, and fails on those of more than 3 digits before the point"],
  ["double precision", "numeric(9,2)", "destructive",
    "keeps about 15 digits of each number, rounds to 2 decimals, fails on those of more than 7 digits before the point"],
  ["numeric(15,2)", "double precision", "widening", undefined],
  ["numeric(16,2)", "double precision", "destructive", "keeps about 15 digits of each number"],
  ["text", "numeric(9,2)", "destructive", "fails where a value is not a number, or has more than 7 digits before the point; rounds to 2 decimals"],
  ["text", "time(3)", "destructive", "fails where a value is not a time of day, drops a date or a zone next to it, and rounds to milliseconds"],
  ["time(3)", "text", "destructive", "turns each time(3) into its text"],
  ["time", "time(3)", "destructive", "rounds to milliseconds, and fails on 24:00"],
  ["time(0)", "time(3)", "widening", undefined],
  ["timestamptz(3)", "time(3)", "destructive", "drops the date, in UTC"],
  ["text", "text[]", "widening", "turns each value into a list of one element"],
  ["text", "integer[]", "destructive", "turns each value into a list of one element; fails where a value is not a valid integer"],
  ["text[]", "text", "destructive",
    "keeps the first element of each list, and loses the others; an empty list becomes null, which fails if the field is required"],
  ["integer[]", "jsonb", "widening", "turns each list into a JSON list"],
  ["varchar(20)[]", "varchar(40)[]", "widening", undefined],
  ["varchar(20)[]", "varchar(10)[]", "destructive", "cuts elements that are longer than 10 characters"],
  ["varchar(20)[]", "text[]", "widening", undefined],
  ["integer[]", "bigint[]", "widening", undefined],
  ["bigint[]", "integer[]", "destructive", "fails on numbers over 2147483647"],
  ["numeric(9,2)[]", "numeric(9,3)[]", "destructive", "fails on numbers of more than 6 digits before the point"],
] as const)("%s to %s is %s", (from, to, kind, why) => {
  const retyped = typeChange(place, from, to);
  expect([retyped.class, retyped.consequence?.why]).toEqual([kind, why]);
});

test("a run names the lists that would lose elements", () => {
  expect(typeChange(place, "varchar(20)[]", "varchar(10)[]").consequence?.safely[0]).toBe(
    'find them: SELECT id, "x" FROM "rows" WHERE EXISTS (SELECT FROM unnest("x") AS element WHERE length(element::text) > 10)',
  );
});

test("the prediction whether a change rewrites the table matches PostgreSQL", async () => {
  const { query } = await testDatabase();
  // biome-ignore format: many a line
  const pairs: readonly (readonly [ColumnType, ColumnType])[] = [
    ...(["numeric(9,2)", "numeric(9,3)", "numeric(4,2)", "integer", "text", "numeric(5,2)[]"] as const).map(
      (to) => ["numeric(5,2)", to] as const,
    ),
    ["integer", "bigint"], ["numeric", "numeric(9,2)"], ["time(0)", "time(3)"], ["time", "time(3)"],
    ["text", "time(3)"], ["varchar(20)", "varchar(40)"], ["varchar(20)[]", "varchar(40)[]"],
    ["varchar(20)[]", "text[]"], ["text[]", "text"], ["text[]", "jsonb"], ["integer[]", "bigint[]"],
  ];
  const file = "SELECT pg_relation_filenode('rows') AS file";
  for (const [from, to] of pairs) {
    await query(`CREATE TABLE rows (x ${from})`);
    const before = await query(file);
    const more = needsConversion(from, to) ? { from } : {};
    await query(stepToSql({ step: "set_type", ...place, type: to, ...more }));
    const rewritten = JSON.stringify(await query(file)) !== JSON.stringify(before);
    expect([from, to, typeChange(place, from, to).rewrites]).toEqual([from, to, rewritten]);
    await query("DROP TABLE rows");
  }
});
