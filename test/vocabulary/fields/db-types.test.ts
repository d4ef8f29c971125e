import { describe, expect, test } from "vitest";
import { dbTypesOf, dbTypeText, fitsKind, limitsOfDbType, parseDbType } from "#vocabulary/fields/db-types";
import type { FieldKind } from "#vocabulary/fields/field-kinds";

function typeOf(text: string) {
  const type = parseDbType(text);
  if ("problem" in type) throw new Error(`${text} ${type.problem}`);
  return type;
}

describe("parseDbType", () => {
  // biome-ignore format: one case a line
  test.each([
    ["varchar", "varchar"],
    ["varchar(20)", "varchar(20)"],
    [" VARCHAR ( 20 ) ", "varchar(20)"],
    ["char(3)", "char(3)"],
    ["numeric(8, 2)", "numeric(8,2)"],
    ["numeric(8)", "numeric(8)"],
    ["double  precision", "double precision"],
    ["timestamp(0)", "timestamp(0)"],
    ["real[]", "real[]"],
    ["varchar(20) [ ]", "varchar(20)[]"],
  ])("%j is %s", (text, canonical) => {
    expect(dbTypeText(typeOf(text))).toBe(canonical);
    expect(typeOf(text).isEnum).toBe(false);
  });

  // biome-ignore format: one case a line
  test.each([
    ["mood", "mood", false],
    ["Order Status", "Order Status", false],
    ["sales.mood[]", "sales.mood", true],
  ])("%j is an enum type", (text, name, isList) => {
    expect(typeOf(text)).toEqual({ name, size: [], isList, isEnum: true });
  });

  // biome-ignore format: one case a line
  test.each([
    ["", "is not a column type", 'write a type such as "varchar(20)" or "timestamp(6)"'],
    ["varchar(-1)", "is not a column type", 'write a type such as "varchar(20)" or "timestamp(6)"'],
    ["real[][]", "is not a column type", 'write a type such as "varchar(20)" or "timestamp(6)"'],
    ["character varying(20)", "is another name of a type", 'write "varchar(20)"'],
    ["int8[]", "is another name of a type", 'write "bigint[]"'],
    ["timestamp with time zone", "is another name of a type", 'write "timestamptz"'],
    ["varchr(20)", "is not a known column type", 'write "varchar(20)"'],
    ["bit(20)", "is not a known column type", null],
    ["char", 'lacks its length, such as "char(1)"', null],
    ["varchar(0)", "needs 1 to 10485760 as its only length", null],
    ["varchar(1,2)", "needs 1 to 10485760 as its only length", null],
    ["timestamp(7)", "needs 0 to 6 digits of a second", null],
    ["numeric(1001)", "needs 1 to 1000 digits, and at most as many after the point", null],
    ["numeric(2,3)", "needs 1 to 1000 digits, and at most as many after the point", null],
    ["text(20)", "has a size, which the type does not have", null],
  ])("%j %s", (text, problem, hint) => {
    expect(parseDbType(text)).toEqual({ problem, hint });
  });
});

const texts = ["varchar", "char(n)", "text", "citext", "name", "inet", "cidr", "macaddr", "ltree"];
const allTexts = [...texts, "xml", "money", "interval", "tsvector"];

// biome-ignore format: one case a line
test.each<[FieldKind, readonly string[]]>([
  ["string", allTexts],
  ["text", allTexts],
  ["email", allTexts],
  ["integer", ["smallint", "integer"]],
  ["bigint", ["smallint", "integer", "bigint"]],
  ["int64", ["bigint"]],
  ["float", ["real", "double precision"]],
  ["decimal", ["numeric"]],
  ["datetime", ["timestamptz", "timestamp"]],
  ["json", ["json", "jsonb"]],
  ["time", ["time"]],
  ["date", []],
  ["uuid", []],
  ["boolean", []],
  ["password", []],
  ["float[]", ["real[]", "double precision[]"]],
  ["int64[]", ["bigint[]"]],
])("the types of %s", (kind, types) => {
  expect(dbTypesOf(kind)).toEqual(types);
  for (const text of types) expect(fitsKind(typeOf(text.replace("(n)", "(3)")), kind, false)).toBe(true);
});

// biome-ignore format: one case a line
test.each<[string, FieldKind, boolean, boolean]>([
  ["real", "float[]", false, false],
  ["real[]", "float", false, false],
  ["numeric", "float", false, false],
  ["bigint", "integer", false, false],
  ["mood", "string", false, false],
  ["mood", "string", true, true],
  ["mood", "email", true, true],
  ["mood[]", "text[]", true, true],
  ["mood", "integer", true, false],
  ["varchar(20)", "string", true, true],
])("a column of %s for a field of %s, with an enum: %s, fits: %s", (text, kind, hasEnum, fits) => {
  expect(fitsKind(typeOf(text), kind, hasEnum)).toBe(fits);
});

describe("limits", () => {
  const none = {
    ...{ maxLength: null, maxBytes: null, minimum: null, maximum: null, decimal: null },
    fractionDigits: null,
    rounds: null,
  };

  // biome-ignore format: one case a line
  test.each([
    ["text", {}],
    ["inet", {}],
    ["mood", {}],
    ["bigint", {}],
    ["varchar", {}],
    ["varchar(20)", { maxLength: 20 }],
    ["char(3)[]", { maxLength: 3 }],
    ["name", { maxLength: 63, maxBytes: 63 }],
    ["smallint", { minimum: -32_768, maximum: 32_767 }],
    ["integer", { minimum: -2_147_483_648, maximum: 2_147_483_647 }],
    ["real", { minimum: -3.4028235e38, maximum: 3.4028235e38 }],
    ["numeric", {}],
    ["numeric(8)", { decimal: { precision: 8, scale: 0 } }],
    ["numeric(8,2)", { decimal: { precision: 8, scale: 2 } }],
    ["timestamptz", { fractionDigits: 6 }],
    ["timestamp(0)", { fractionDigits: 0 }],
    ["time(2)", { fractionDigits: 2 }],
  ])("of %s", (text, limits) => {
    expect(limitsOfDbType(typeOf(text))).toEqual({ ...none, ...limits });
  });
});
