import { describe, expect, test } from "vitest";
import { canonicalExpression, foreignKeyEffect, shortType } from "#runtime/migrations/drift/canonical";

describe("expressions", () => {
  test.each([
    ["'draft'::character varying", "'draft'::text"],
    ["'draft'::character varying(20)", "'draft'"],
    ["now()", "CURRENT_TIMESTAMP"],
    ["'2026-01-31 00:00:00+00'::timestamp(3) with time zone", "'2026-01-31 00:00:00+00'::timestamptz"],
    ["0", "0.00"],
    ["(4.5)::numeric(4,2)", "4.50::double precision"],
    ["'12.50'::numeric", "12.5"],
    ["'-7'::integer", "(-7)"],
    ["'9007199254740993'::bigint", "'9007199254740993'::numeric"],
    ["(n = ANY (ARRAY['1.50'::numeric, '2.00'::numeric]))", "(n = ANY (ARRAY[1.5, (2)::numeric]))"],
    ["(t <@ ARRAY['a'::character varying])", "(t <@ (ARRAY['a'::text])::character varying(20)[])"],
    ["'{a,\"b,c\",it''s}'::character varying[]", "ARRAY['a'::text, 'b,c'::text, 'it''s'::text]"],
    ["'{1.500,-2}'::numeric[]", "(ARRAY[1.5, '-2'::integer])::numeric(8,3)[]"],
    ["'{t,f}'::boolean[]", "ARRAY[true, false]"],
    ["'{}'::text[]", "ARRAY[]::text[]"],
    ["'12:30:00'::time(3) without time zone", "'12:30:00'::time without time zone"],
    [
      "CHECK (((status)::text = ANY ((ARRAY['a'::character varying, 'it''s (b)'::character varying])::text[])))",
      "CHECK ((status = ANY (ARRAY['a'::text, 'it''s (b)'::text])))",
    ],
  ])("%s is %s", (one, other) => {
    expect(canonicalExpression(one)).toBe(canonicalExpression(other));
  });

  test.each([
    ["'draft'::text", "'Draft'::text"],
    ["'a b'::text", "'ab'::text"],
    ["'(a)'::text", "'a'::text"],
    ["'a::text'::text", "'a'::text"],
    ["'it''s a'", "'it''sa'"],
    ["10", "100"],
    ["1.5", "1.05"],
    ["'1.0'::text", "'1'::text"],
    ["ARRAY['1.0'::text]", "ARRAY['1'::text]"],
    ["ARRAY[1.50, 2]", "ARRAY[1.05, 2]"],
    ["'1'::numeric", "'10'::numeric"],
    ["'it''1'::text", "'it1'::text"],
    ["'{a}'::text[]", "ARRAY['b'::text]"],
    ["'{a,b}'::text[]", "'{\"a,b\"}'::text[]"],
    ["'{NULL}'::text[]", "ARRAY['NULL'::text]"],
    ["'{1.0}'::text[]", "'{1}'::text[]"],
    ["(a)::integer AND b", "(a)::integer OR b"],
  ])("%s is not %s", (one, other) => {
    expect(canonicalExpression(one)).not.toBe(canonicalExpression(other));
  });
});

test("a foreign key has the same effect without what a service never does", () => {
  const plain = "FOREIGN KEY (a) REFERENCES b(id)";
  for (const clause of [" ON DELETE RESTRICT", " ON UPDATE CASCADE", " ON UPDATE SET NULL", " DEFERRABLE"])
    expect(foreignKeyEffect(plain + clause), clause).toBe(plain);
  for (const clause of [" ON DELETE CASCADE", " ON DELETE SET NULL", " DEFERRABLE INITIALLY DEFERRED"])
    expect(foreignKeyEffect(plain + clause), clause).not.toBe(plain);
});

test("types have the names that migrations use", () => {
  expect(
    [
      "character varying(20)",
      "character(2)",
      "timestamp(3) with time zone",
      "timestamp without time zone",
      "double precision",
      "character varying[]",
      "character varying(20)[]",
      "numeric(12,2)",
      "time(3) without time zone",
      "time(3) without time zone[]",
      "timestamp(3) with time zone[]",
    ].map(shortType),
  ).toEqual([
    ...["varchar(20)", "char(2)", "timestamptz(3)", "timestamp", "double precision", "varchar[]"],
    ...["varchar(20)[]", "numeric(12,2)", "time(3)", "time(3)[]", "timestamptz(3)[]"],
  ]);
});
