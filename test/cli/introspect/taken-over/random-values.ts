import { createHash } from "node:crypto";

/** Numbers of a seed. */
export interface Random {
  below(limit: number): number;
}

export function randomOf(seed: string): Random {
  let count = 0;
  return {
    below(limit) {
      const digest = createHash("sha256").update(`${seed} ${count++}`).digest();
      return limit <= 0 ? 0 : digest.readUInt32BE(0) % limit;
    },
  };
}

/** Usual and extreme values by type, as PostgreSQL reads them. */
const usual: Readonly<Record<string, readonly string[]>> = {
  boolean: ["true", "false"],
  smallint: ["1", "2", "17", "300"],
  integer: ["1", "2", "17", "300", "70000"],
  bigint: ["1", "2", "17", "300", "5000000000"],
  real: ["0", "1.5", "9.8", "0.1"],
  "double precision": ["0", "1.5", "9.8", "0.1"],
  numeric: ["0", "1.5", "2", "0.25"],
  money: ["1.50", "20"],
  date: ["2022-02-03", "2024-02-29", "2026-01-01"],
  "timestamp without time zone": [
    "2022-02-03 04:05:06.789",
    "2026-03-29 02:30:00",
    "2022-05-05 00:00:00.123456",
  ],
  "timestamp with time zone": [
    "2022-02-03 04:05:06.789+02",
    "2026-03-29 02:30:00+00",
    "2022-05-05 00:00:00.123456Z",
  ],
  "time without time zone": ["04:05:06", "23:59:59.999999", "00:00"],
  "time with time zone": ["04:05:06+02"],
  interval: ["1 day", "-00:00:01.5"],
  json: ['{"b": 1, "a": [true, null]}', "[]", '"text"'],
  jsonb: ['{"b": 1, "a": [true, null]}', "[]", '"text"', "{}"],
  inet: ["192.168.0.1/24", "::1"],
  cidr: ["10.0.0.0/8", "2001:db8::/32"],
  macaddr: ["08:00:2b:01:02:03"],
  xml: ["<a>1</a>", "<b/>"],
  bytea: ["\\x00ff", "\\x"],
  tsvector: ["a:1 fat:2,4"],
  ltree: ["0.1.2", "a_b"],
  point: ["(1,2)"],
  "bit varying": ["101"],
};

const extremes: Readonly<Record<string, readonly string[]>> = {
  smallint: ["-32768", "32767", "0"],
  integer: ["-2147483648", "2147483647", "0"],
  bigint: ["-9223372036854775808", "9223372036854775807", "9007199254740993", "0"],
  real: ["NaN", "Infinity", "-Infinity", "3.4e38", "1e-45", "16777217", "-0"],
  "double precision": [
    "NaN",
    "Infinity",
    "-Infinity",
    "1.7976931348623157e308",
    "5e-324",
    "-0",
    "0.30000000000000004",
  ],
  numeric: [
    "NaN",
    "-0.0001",
    "99999999",
    "123456789012345678901234567890.1234567890123456789",
    "Infinity",
    "1e100",
  ],
  money: ["-92233720368547758.08", "0"],
  date: ["infinity", "-infinity", "0044-03-15 BC", "12000-01-01", "0001-01-01", "9999-12-31"],
  "timestamp without time zone": [
    "infinity",
    "-infinity",
    "0044-03-15 01:02:03 BC",
    "12000-01-01",
    "9999-12-31 23:59:59.999999",
    "0001-01-01",
  ],
  "timestamp with time zone": [
    "infinity",
    "-infinity",
    "0044-03-15 01:02:03 BC",
    "12000-01-01",
    "9999-12-31 23:59:59.999999Z",
    "0001-01-01 00:00:00Z",
  ],
  "time without time zone": ["24:00:00"],
  interval: ["-1 year -2 mons +3 days 04:05:06.789", "178000000 years", "0"],
  json: ["null", '{"a": 1,   "a": 2}', '{"n": 12345678901234567890123}', '"\\u00e9 \\ud83d\\ude00"', "1e5"],
  jsonb: ["null", '{"n": 12345678901234567890123, "f": 0.10}', '"é \\ud83d\\ude00 \\n"', "1"],
  xml: ["<a b='é'> </a>"],
  ltree: [""],
};

const texts = ["alpha", "beta", "gamma", "delta one", "x"];
const oddTexts = [
  "",
  " blanks ",
  "ünïcode 💥 \\ \" '",
  "line\nfeed\ttab",
  "100%_",
  "null",
  "\u0001\u007f\u2028",
];

interface Typed {
  readonly base: string;
  readonly full: string;
  readonly labels: readonly string[] | null;
  readonly candidates: readonly string[];
}

/** A value of a column, as a text that is cast; null if this table has none for the type. */
export function randomValue(column: Typed, random: Random, isExtreme: boolean): string | null {
  const { base, full, labels, candidates } = column;
  if (base.endsWith("[]")) return listOf(column, random, isExtreme);
  const of = (list: readonly string[]) => list[random.below(list.length)] ?? null;
  if (labels !== null) return of(labels);
  if (candidates.length > 0 && random.below(5) > 0) return of(candidates);
  const known = (isExtreme ? extremes[base] : undefined) ?? usual[base.replace(/^\w+\./, "")] ?? usual[base];
  if (known !== undefined) return of(known);
  if (base === "uuid") return uuidOf(random);
  if (/range$/.test(base)) return "empty";
  if (!/^(?:character|text|citext|name|"char"|bpchar|public\.citext)/.test(base)) return null;
  const length = Number(/\((\d+)\)/.exec(full)?.[1] ?? 40);
  const chosen = isExtreme
    ? random.below(4) === 0
      ? "é".repeat(length)
      : of(oddTexts)
    : `${of(texts)}${of([" ", "_"])}${random.below(10_000)}`;
  return [...(chosen ?? "")].slice(0, length).join("");
}

function listOf(column: Typed, random: Random, isExtreme: boolean): string | null {
  const one = { ...column, base: column.base.slice(0, -2), full: column.full.replace("[]", "") };
  if (isExtreme && random.below(3) === 0) return random.below(2) === 0 ? "{}" : "{NULL}";
  const values = Array.from({ length: random.below(4) }, () => randomValue(one, random, isExtreme));
  if (values.includes(null)) return "{}";
  return `{${values.map((value) => `"${(value ?? "").replaceAll(/["\\]/g, "\\$&")}"`).join(",")}}`;
}

function uuidOf(random: Random): string {
  const digits = Array.from({ length: 4 }, () =>
    random
      .below(2 ** 32)
      .toString(16)
      .padStart(8, "0"),
  ).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
