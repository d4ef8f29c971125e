import { expect, test } from "vitest";
import { type Retyped, retypedTables } from "./retyped.ts";
import { tryChange, tryFailing } from "./try-change.ts";

const decimal = (precision: number, scale: number, more: object = {}) => ({
  ...{ type: "decimal", precision, scale },
  ...more,
});
const integer = { type: "integer" };
const bigint = { type: "bigint" };
const text = { type: "text" };
const time = { type: "time" };

// biome-ignore format: one case a line
const cases: readonly Retyped[] = [
  { from: integer, values: ["2147483647", "-7", "NULL"], to: bigint, up: ["2147483647", "-7", null], down: ["2147483647", "-7", null], type: "bigint",
    former: "integer" },
  { from: bigint, values: ["7"], to: integer, up: ["7"], down: ["7"], type: "integer", former: "bigint", destructive: true },
  { from: integer, values: ["2147483647", "0", "-3"], to: decimal(12, 2, { default: "1.5" }), up: ["2147483647.00", "0.00", "-3.00"],
    down: ["2147483647", "0", "-3"], type: "numeric(12,2)", former: "integer" },
  { from: integer, values: ["12345"], to: decimal(6, 1), up: ["12345.0"], down: ["12345"], type: "numeric(6,1)", former: "integer",
    destructive: true },
  { from: decimal(12, 2), values: ["'12.50'", "'-12.49'"], to: integer, up: ["13", "-12"], down: ["13.00", "-12.00"], type: "integer",
    former: "numeric(12,2)", destructive: true },
  { from: decimal(9, 0), values: ["'999999999'"], to: integer, up: ["999999999"], down: ["999999999"], type: "integer", former: "numeric(9,0)" },
  { from: bigint, values: ["9223372036854775807", "-9223372036854775808", "9007199254740993"], to: decimal(22, 3),
    up: ["9223372036854775807.000", "-9223372036854775808.000", "9007199254740993.000"],
    down: ["9223372036854775807", "-9223372036854775808", "9007199254740993"], type: "numeric(22,3)", former: "bigint" },
  { from: decimal(18, 0, { default: "123456789012345678" }), values: ["'999999999999999999'"], to: bigint, up: ["999999999999999999"],
    down: ["999999999999999999"], type: "bigint", former: "numeric(18,0)" },
  { from: decimal(5, 2), values: ["'999.99'"], to: decimal(9, 2), up: ["999.99"], down: ["999.99"], type: "numeric(9,2)", former: "numeric(5,2)" },
  { from: decimal(5, 2), values: ["'999.99'"], to: decimal(9, 4), up: ["999.9900"], down: ["999.99"], type: "numeric(9,4)", former: "numeric(5,2)" },
  { from: decimal(5, 2), values: ["'98.75'", "'0.05'"], to: decimal(4, 1), up: ["98.8", "0.1"], down: ["98.80", "0.10"], type: "numeric(4,1)",
    former: "numeric(5,2)", destructive: true },
  { from: { type: "float" }, values: ["0.1", "-1234567.125"], to: decimal(20, 2), up: ["0.10", "-1234567.13"], down: ["0.1", "-1234567.13"],
    type: "numeric(20,2)", former: "double precision", destructive: true },
  { from: decimal(15, 2), values: ["'1234567890123.45'"], to: { type: "float" }, up: ["1234567890123.45"], down: ["1234567890123.45"],
    type: "double precision", former: "numeric(15,2)" },
  { from: decimal(20, 2), values: ["'0.07'"], to: { type: "float" }, up: ["0.07"], down: ["0.07"], type: "double precision", former: "numeric(20,2)",
    destructive: true },
  { from: text, values: ["'12.345'", "' 7 '"], to: decimal(6, 2), up: ["12.35", "7.00"], down: ["12.35", "7.00"], type: "numeric(6,2)",
    former: "text", destructive: true },
  { from: { type: "string", max_length: 30 }, values: ["'9007199254740993'"], to: bigint, up: ["9007199254740993"], down: ["9007199254740993"],
    type: "bigint", former: "character varying(30)", destructive: true },
  { from: decimal(20, 3), values: ["'12345678901234567.890'"], to: text, up: ["12345678901234567.890"], down: ["12345678901234567.890"], type: "text",
    former: "numeric(20,3)", destructive: true },
  { from: text, values: ["'12:30'", "'23:59:59.999'"], to: time, up: ["12:30:00", "23:59:59.999"], down: ["12:30:00", "23:59:59.999"],
    type: "time(3) without time zone", former: "text", destructive: true },
  { from: time, values: ["'00:00'", "'12:30:00.120'"], to: { type: "string", max_length: 12 }, up: ["00:00:00", "12:30:00.12"],
    down: ["00:00:00", "12:30:00.12"], type: "character varying(12)", former: "time(3) without time zone", destructive: true },
  { from: { type: "datetime" }, values: ["'2026-01-31T23:30:00.123Z'"], to: { type: "time", default: "12:00" }, up: ["23:30:00.123"], down: [null],
    again: [null], type: "time(3) without time zone", former: "timestamp(3) with time zone", destructive: true },
  { from: time, values: ["'12:30'"], to: integer, up: [null], down: [null], type: "integer", former: "time(3) without time zone",
    destructive: "dropped" },
];

test("values in their new types, back in the former ones, and again", () => tryChange(retypedTables(cases)));

const rows = (field: object) => ({ rows: { fields: { x: field } } });

test.each([
  ["'NaN'", { type: "float" }, decimal(9, 2), /NaN is not a number/],
  ["'Infinity'", { type: "float" }, decimal(9, 2), /overflow|infinity/],
  ["'nan'", text, decimal(9, 2), /NaN is not a number/],
  ["'abc'", text, decimal(9, 2), /invalid input syntax/],
  ["'9999999.99'", decimal(9, 2), decimal(8, 2), /overflow/],
  ["'9.99'", decimal(3, 2), decimal(2, 1), /overflow/],
  ["2147483648", bigint, integer, /out of range/],
  ["'24:00'", text, time, /24:00 is not a time of day/],
  ["'23:59:59.9996'", text, time, /24:00 is not a time of day/],
  ["'25:00'", text, time, /out of range/],
] as const)("%s of %o becomes no %o, and nothing of it is applied", async (value, from, to, message) => {
  await tryFailing({
    before: rows(from),
    rows: `INSERT INTO rows (x) VALUES (${value})`,
    after: rows(to),
    message,
    left: [["SELECT x::text AS x FROM rows", [{ x: expect.stringMatching(/./) }]]],
  });
});
