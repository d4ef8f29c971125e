import fc from "fast-check";
import type { Operator } from "#vocabulary/fields/filter-operators";

/** A field of `things` as the tests see it, told apart from the runtime on purpose. */
interface Kind {
  readonly cast: string;
  /** Values of rows and of filters, as JSON. */
  readonly values: readonly (string | number | boolean)[];
  readonly operators: readonly Operator[];
  /** How the column reads in an answer. */
  readonly answered?: (column: string) => string;
}

const nulls: Operator[] = ["is_null", "is_not_null"];
const equality: Operator[] = ["eq", "ne", "in", "not_in", ...nulls];
const comparable: Operator[] = [...equality, "gt", "gte", "lt", "lte", "between"];
const textual: Operator[] = [...comparable, "like", "ilike"];

// biome-ignore format: a list of values
const texts = [
  "a", "A", "ab", "aB", "b%", "b_", "bxc", "c\\d", "c\\%", "it's", '"q"', "x,y", "[z]", " pad ", "é", "É",
  "日本", "😀", "null", "{1}", "a b", "--", "$1", "?", "a\nb", "%", "_", "\\",
];

// biome-ignore format: one entry a line
const kinds = {
  text: { cast: "text", values: texts, operators: textual },
  mail: { cast: "text", values: ["a@b.example", "A@b.example", "c%d@e.example"], operators: textual },
  integer: { cast: "int4", values: [0, 1, 2, 10, -1, 2147483647, -2147483648], operators: comparable },
  bigint: { cast: "int8", values: [0, 1, 7, 9007199254740991, -9007199254740991], operators: comparable,
    answered: (column: string) => `${column}::float8` },
  float: { cast: "float8", values: [0, 0.1, -0.5, 1e-7, 1e300, 5e-324, 123456789.125, 3], operators: comparable },
  boolean: { cast: "boolean", values: [true, false], operators: equality },
  datetime: {
    cast: "timestamptz",
    // biome-ignore format: a list of values
    values: ["2024-02-29T12:00:00.000Z", "2024-02-29T12:00:00.001Z", "1999-12-31T23:59:59.999Z", "0001-01-01T00:00:00.000Z",
      "9999-12-31T23:59:59.999Z", "2024-03-01T00:00:00.000Z"],
    operators: comparable,
    answered: (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`,
  },
  date: { cast: "date", values: ["2024-02-29", "1970-01-01", "0001-01-01", "9999-12-31", "2024-03-01"], operators: comparable,
    answered: (column: string) => `${column}::text` },
  json: { cast: "jsonb", values: ["[]", '{"a":1}', "7", '"s"', "true"], operators: nulls },
  uuid: { cast: "uuid", values: ["00000000-0000-4000-8000-000000000001", "ffffffff-ffff-4fff-bfff-ffffffffffff"], operators: equality },
  color: { cast: "text", values: ["red", "green", "blue, dark", "it's"], operators: equality },
  size: { cast: "int4", values: [1, 2, 30], operators: equality },
} satisfies Record<string, Kind>;

/** The fields of `things`, without `deleted_at`, which no filter reaches. */
export const fields: Readonly<Record<string, Kind>> = {
  id: { ...kinds.bigint, values: [1, 2, 3, 40, 99, 100000] },
  name: kinds.text,
  note: kinds.text,
  mail: kinds.mail,
  count: kinds.integer,
  big: kinds.bigint,
  ratio: kinds.float,
  flag: kinds.boolean,
  at: kinds.datetime,
  day: kinds.date,
  doc: kinds.json,
  ref: kinds.uuid,
  color: kinds.color,
  size: kinds.size,
  created_at: kinds.datetime,
  updated_at: kinds.datetime,
};

export const fieldNames = Object.keys(fields);
const stored = fieldNames.filter((name) => !["id", "created_at", "updated_at"].includes(name));

export interface Condition {
  readonly field: string;
  readonly operator: Operator;
  readonly values: readonly (string | number | boolean)[];
}

function kindOf(field: string): Kind {
  const kind = fields[field];
  if (kind === undefined) throw new Error(`no field ${field}`);
  return kind;
}

const valuesNeeded: Partial<Record<Operator, [number, number]>> = {
  in: [0, 4],
  not_in: [0, 4],
  between: [2, 2],
  is_null: [0, 0],
  is_not_null: [0, 0],
};

/** A condition that fits its field, with values that rows hold. */
const condition: fc.Arbitrary<Condition> = fc
  .constantFrom(...fieldNames)
  .chain((field) => fc.tuple(fc.constant(field), fc.constantFrom(...kindOf(field).operators)))
  .chain(([field, operator]) => {
    const [least, most] = valuesNeeded[operator] ?? [1, 1];
    const value = fc.constantFrom(...kindOf(field).values);
    return fc
      .array(value, { minLength: least, maxLength: most })
      .map((values): Condition => ({ field, operator, values }));
  });

/** Up to three conditions, no two of which have the same name in a query string. */
export const conditions = fc.uniqueArray(condition, {
  maxLength: 3,
  selector: ({ field, operator }) => `${field} ${operator}`,
});

/** A row of `things` as an SQL `insert`. */
export const insertion: fc.Arbitrary<string> = fc
  .tuple(
    ...stored.map((field) => fc.option(fc.constantFrom(...kindOf(field).values), { freq: 4 })),
    fc.constantFrom(...kinds.datetime.values),
    fc.constantFrom(null, null, null, null, "2024-01-01"),
  )
  .map((values) => {
    const literals = stored.map((field, at) => literal(values[at] ?? null, kindOf(field).cast));
    const [at, dead] = values.slice(-2);
    return `insert into things (${stored.map((name) => `"${name}"`).join()}, created_at, updated_at, deleted_at) values (${literals.join()}, ${literal(String(at), "timestamptz")}, now(), ${literal(dead ?? null, "timestamptz")});`;
  });

/** A value spelled out in SQL. */
export function literal(value: string | number | boolean | null, cast: string): string {
  return value === null ? "null" : `'${String(value).replaceAll("'", "''")}'::${cast}`;
}

const signs: Partial<Record<Operator, string>> = {
  eq: "=",
  ne: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
};

/** What the contract says that a filter means, as plain SQL. */
export function conditionSql({ field, operator, values }: Condition): string {
  const { cast } = kindOf(field);
  const [first = "", second = ""] = values.map((value) => literal(value, cast));
  const column = `"${field}"`;
  switch (operator) {
    case "is_null":
    case "is_not_null":
      return `${column} is ${operator === "is_null" ? "" : "not "}null`;
    case "in":
      return values.length === 0 ? "false" : `${column} in (${values.map((v) => literal(v, cast)).join()})`;
    case "not_in":
      return values.length === 0
        ? "true"
        : `${column} not in (${values.map((v) => literal(v, cast)).join()})`;
    case "between":
      return `(${column} >= ${first} and ${column} <= ${second})`;
    case "like":
    case "ilike": {
      const text = String(values[0]);
      // Without an escape character a backslash is itself.
      return `${column} ${operator} ${literal(text.includes("%") ? text : `%${text}%`, "text")} escape ''`;
    }
    default:
      return `${column} ${signs[operator]} ${first}`;
  }
}

/** The filter as a parameter of a query string; a list is sent as JSON, or with commas where that can be told apart. */
export function parameter({ field, operator, values }: Condition, commas: boolean): [string, string] {
  const name = operator === "eq" ? field : `${field}__${operator}`;
  if (operator === "is_null" || operator === "is_not_null") return [name, commas ? "false" : "1"];
  if (!["in", "not_in", "between"].includes(operator)) return [name, String(values[0])];
  const plain = values.length > 0 && values.every((value) => /^[\w.:@-]+$/.test(String(value)));
  return [name, commas && plain ? values.join(" , ") : JSON.stringify(values)];
}

/** The filter as an entry of a JSON `where`. */
export function whereEntry({ field, operator, values }: Condition): [string, unknown] {
  const name = operator === "eq" ? field : `${field}__${operator}`;
  if (operator === "is_null" || operator === "is_not_null") return [name, true];
  return [name, ["in", "not_in", "between"].includes(operator) ? values : values[0]];
}

/** A `select` of rows that look as they are answered. */
export function selectSql(names: readonly string[], where: readonly string[]): string {
  const list = names.map((name) => {
    const quoted = `"${name}"`;
    return `${kindOf(name).answered?.(quoted) ?? quoted} as ${quoted}`;
  });
  return `select ${list.join()} from things where ${["deleted_at is null", ...where].join(" and ")}`;
}
