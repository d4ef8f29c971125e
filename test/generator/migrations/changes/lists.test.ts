import { test } from "vitest";
import { type Retyped, retypedTables } from "./retyped.ts";
import { type ChangeCase, tryChange, tryFailing } from "./try-change.ts";

const list = (element: string, more: object = {}) => ({ type: `${element}[]`, ...more });
const text = { type: "text" };
const price = { precision: 9, scale: 2 };

// biome-ignore format: one case a line
const retyped: readonly Retyped[] = [
  { from: text, values: ["'a'", "'{b,c}'", "'NULL'", "NULL", "''"], to: list("text"), up: ["{a}", '{"{b,c}"}', '{"NULL"}', null, '{""}'],
    down: ["a", "{b,c}", "NULL", null, ""], type: "text[]", former: "text" },
  { from: list("string", { max_length: 9 }), values: ["'{a,b}'", "'{}'", "NULL"], to: { type: "string", max_length: 9 }, up: ["a", null, null],
    down: ["{a}", null, null], type: "character varying(9)", former: "character varying(9)[]", destructive: true },
  { from: { type: "integer" }, values: ["7"], to: list("decimal", { ...price, default: ["0.5"] }), up: ["{7.00}"], down: ["7"],
    type: "numeric(9,2)[]", former: "integer", destructive: true },
  { from: list("integer"), values: ["'{1,2147483647}'", "'{}'"], to: list("bigint"), up: ["{1,2147483647}", "{}"], down: ["{1,2147483647}", "{}"],
    type: "bigint[]", former: "integer[]" },
  { from: list("bigint"), values: ["'{9007199254740993}'"], to: list("text"), up: ["{9007199254740993}"], down: ["{9007199254740993}"],
    type: "text[]", former: "bigint[]", destructive: true },
  { from: list("text"), values: ["'{1.239,7}'"], to: list("decimal", price), up: ["{1.24,7.00}"], down: ["{1.24,7.00}"], type: "numeric(9,2)[]",
    former: "text[]", destructive: true },
  { from: list("text"), values: ["'{12:30,23:59:59.5}'"], to: list("time"), up: ["{12:30:00,23:59:59.5}"], down: ["{12:30:00,23:59:59.5}"],
    type: "time(3) without time zone[]", former: "text[]", destructive: true },
  { from: list("string", { max_length: 9 }), values: ["'{abcdef,x}'"], to: list("string", { max_length: 3 }), up: ["{abc,x}"], down: ["{abc,x}"],
    type: "character varying(3)[]", former: "character varying(9)[]", destructive: true },
  { from: list("string", { max_length: 3 }), values: ["'{abc}'"], to: list("string", { max_length: 9, default: ["b"] }), up: ["{abc}"],
    down: ["{abc}"], type: "character varying(9)[]", former: "character varying(3)[]" },
  { from: list("integer"), values: ["'{1,2}'"], to: { type: "json" }, up: ["[1, 2]"], down: [null], again: [null], type: "jsonb",
    former: "integer[]" },
  { from: { type: "json" }, values: ["'[1]'"], to: list("integer"), up: [null], down: [null], type: "integer[]", former: "jsonb",
    destructive: "dropped" },
  { from: list("boolean"), values: ["'{true}'"], to: list("uuid"), up: [null], down: [null], type: "uuid[]", former: "boolean[]",
    destructive: "dropped" },
];

test("values in their new types, back in the former ones, and again", () =>
  tryChange(retypedTables(retyped)));

const rows = (...fields: object[]) => ({
  rows: { fields: { y: text, ...Object.assign({}, ...fields.map((field) => ({ x: field }))) } },
});
const two = "INSERT INTO rows (y) VALUES ('a'), ('b')";
const indexes = "SELECT indexdef AS x FROM pg_indexes WHERE tablename = 'rows' AND indexname = 'rows_x_idx'";
const gin = [{ x: "CREATE INDEX rows_x_idx ON public.rows USING gin (x)" }];
const btree = [{ x: "CREATE INDEX rows_x_idx ON public.rows USING btree (x)" }];
const odd = ["a", 'b"c', "d\\e", "it's", "{f,g}", "NULL", "", " h "];

// biome-ignore format: one case a line
const cases: readonly ChangeCase[] = [
  { title: "a list is added",
    before: rows(),
    rows: two,
    after: rows(list("string", { max_length: 3, index: true })),
    up: [["SELECT x FROM rows", [{ x: null }, { x: null }]],
      ["INSERT INTO rows (x) VALUES ('{ab,cdef}')", /too long for type character varying\(3\)/], [indexes, gin]],
    down: [["SELECT x FROM rows", /"x" does not exist/], [indexes, []]],
  },
  { title: "a required list with a default is added",
    before: rows(),
    rows: two,
    after: rows(list("text", { required: true, default: odd })),
    up: [["SELECT x FROM rows", [{ x: odd }, { x: odd }]], ["INSERT INTO rows DEFAULT VALUES RETURNING x", [{ x: odd }]],
      ["INSERT INTO rows (x) VALUES (NULL)", /null value in column "x"/]],
    down: [["SELECT x FROM rows", /"x" does not exist/]],
  },
  { title: "a list without elements is a default", before: rows(list("time")), rows: "INSERT INTO rows (x) VALUES ('{12:30}')",
    after: rows(list("time", { default: [] })),
    up: [["INSERT INTO rows DEFAULT VALUES RETURNING x::text", [{ x: "{}" }]], ["SELECT x::text FROM rows", [{ x: "{12:30:00}" }]]],
    down: [["INSERT INTO rows DEFAULT VALUES RETURNING x::text", [{ x: null }]]] },
  { title: "a required list is added to an empty table", before: rows(), rows: "", after: rows(list("integer", { required: true })),
    accepted: ["add_column:rows.x"], up: [["INSERT INTO rows DEFAULT VALUES", /null value in column "x"/]],
    down: [["INSERT INTO rows DEFAULT VALUES RETURNING y", [{ y: null }]]] },
  { title: "a list is dropped with its index and its enum", before: rows(list("string", { enum: ["a", "b"], index: true })),
    rows: "INSERT INTO rows (y, x) VALUES ('a', '{a}')", after: rows(), accepted: ["drop_column:rows.x"],
    up: [["SELECT x FROM rows", /"x" does not exist/]],
    down: [["SELECT y, x FROM rows", [{ y: "a", x: null }]], ["INSERT INTO rows (x) VALUES ('{c}')", /"rows_x_check"/], [indexes, gin]] },
  { title: "the elements of a list become an enum: none may be null, or twice, as the service says",
    before: rows(list("string")),
    rows: "INSERT INTO rows (x) VALUES ('{a,b}'), ('{}'), (NULL)",
    after: rows(list("string", { enum: ["a", "b", "it's"] })),
    accepted: ["add_check:rows.rows_x_check"],
    up: [["INSERT INTO rows (x) VALUES ('{it''s}'), ('{}')", []], ["INSERT INTO rows (x) VALUES ('{a,c}')", /"rows_x_check"/],
      ["INSERT INTO rows (x) VALUES ('{a,NULL}')", /"rows_x_check"/]],
    down: [["INSERT INTO rows (x) VALUES ('{a,c}')", []]],
  },
  { title: "an enum of decimals takes more values, and its list gets an index",
    before: rows(list("decimal", { ...price, enum: ["1.5"] })),
    rows: "INSERT INTO rows (x) VALUES ('{1.5}')",
    after: rows(list("decimal", { ...price, enum: ["1.50", "2"], index: true })),
    up: [["INSERT INTO rows (x) VALUES ('{2.000}') RETURNING x::text", [{ x: "{2.00}" }]], ["INSERT INTO rows (x) VALUES ('{3}')", /"rows_x_check"/],
      [indexes, gin]],
    down: [["INSERT INTO rows (x) VALUES ('{2}')", /"rows_x_check"/]],
  },
  { title: "an integer with an enum and an index becomes a decimal with both", before: rows({ type: "integer", enum: [1, 2], index: true }),
    rows: "INSERT INTO rows (x) VALUES (1)", after: rows({ type: "decimal", precision: 12, scale: 2, enum: ["1", "2"], index: true }),
    up: [["INSERT INTO rows (x) VALUES (2.0)", []], ["INSERT INTO rows (x) VALUES (1.5)", /"rows_x_check"/], [indexes, btree]],
    down: [["INSERT INTO rows (x) VALUES (3)", /"rows_x_check"/]] },
  { title: "a text with an enum, a default and an index becomes a list with them",
    before: rows({ type: "string", enum: ["a", "b"], index: true, default: "a" }),
    rows: "INSERT INTO rows (x) VALUES ('b')",
    after: rows(list("string", { enum: ["a", "b"], index: true, default: ["a"] })),
    up: [["SELECT x FROM rows", [{ x: ["b"] }]], ["INSERT INTO rows DEFAULT VALUES RETURNING x", [{ x: ["a"] }]],
      ["INSERT INTO rows (x) VALUES ('{c}')", /"rows_x_check"/], [indexes, gin]],
    down: [["SELECT x FROM rows", [{ x: "b" }]], ["INSERT INTO rows DEFAULT VALUES RETURNING x", [{ x: "a" }]], [indexes, btree]],
  },
  { title: "a list is renamed with its index",
    before: rows(list("uuid", { index: true })),
    rows: "INSERT INTO rows (x) VALUES ('{00000000-0000-4000-8000-000000000001}')",
    after: { rows: { fields: { y: text, z: list("uuid", { index: true, renamed_from: "x" }) } } },
    up: [
      ["SELECT indexdef AS x FROM pg_indexes WHERE tablename = 'rows' AND indexname LIKE '%idx'",
        [{ x: "CREATE INDEX rows_z_idx ON public.rows USING gin (z)" }]],
      ["SELECT z FROM rows", [{ z: ["00000000-0000-4000-8000-000000000001"] }]],
    ],
    down: [[indexes, gin]],
  },
  { title: "a decimal and a bigint get defaults and unique keys",
    before: { rows: { fields: { d: { type: "decimal", precision: 9, scale: 2 }, b: { type: "bigint" } } } },
    rows: "INSERT INTO rows (d, b) VALUES (1.5, 9007199254740993)",
    after: { rows: { fields: { d: { type: "decimal", precision: 9, scale: 2, unique: true, default: "-0.5" },
          b: { type: "bigint", unique: true, default: "-9223372036854775808" } },
      },
    },
    accepted: ["add_index:rows.rows_d_key", "add_index:rows.rows_b_key"],
    up: [["INSERT INTO rows DEFAULT VALUES RETURNING d::text, b::text", [{ d: "-0.50", b: "-9223372036854775808" }]],
      ["INSERT INTO rows (d) VALUES (1.50)", /"rows_d_key"/], ["INSERT INTO rows (b) VALUES (9007199254740993)", /"rows_b_key"/]],
    down: [["INSERT INTO rows (d) VALUES (1.50) RETURNING b", [{ b: null }]]],
  },
];

test.each(cases)("$title", tryChange);

test.each([
  ["'{NaN}'", list("float"), list("decimal", price), /NaN is not a number/],
  ["'{12:30,24:00}'", list("text"), list("time"), /24:00 is not a time of day/],
  ["'{a,b}'", list("text"), list("integer"), /invalid input syntax/],
  ["'24:00'", text, list("time"), /24:00 is not a time of day/],
] as const)("%s of %o becomes no %o", async (value, from, to, message) => {
  await tryFailing({
    before: rows(from),
    rows: `INSERT INTO rows (x) VALUES (${value})`,
    after: rows(to),
    message,
    left: [["SELECT count(x)::int AS x FROM rows", [{ x: 1 }]]],
  });
});

test("a required field takes no first element of an empty list", async () => {
  await tryFailing({
    before: rows(list("text", { required: true })),
    rows: "INSERT INTO rows (x) VALUES ('{}')",
    after: rows({ type: "text", required: true }),
    message: /contains null values/,
    left: [["SELECT x FROM rows", [{ x: [] }]]],
  });
});
