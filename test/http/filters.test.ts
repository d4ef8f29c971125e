import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { thingRows as given, owner, sampleRows, sampleUuids, uuids } from "../support/sample-rows.ts";
import { outcome, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

const equality = ["", "ne", "in", "not_in"];
const comparison = [...equality, "gt", "gte", "lt", "lte", "between"];
const pattern = [...comparison, "like", "ilike"];
const elements = ["contains", "overlaps"];
const nulls = ["is_null", "is_not_null"];
const all = [...pattern, ...elements, ...nulls];

type TypedField = readonly [name: string, lower: string, higher: string, fits: readonly string[]];

/** Each filterable field: its lower and higher value as text, and the operators that fit. */
const fields: readonly TypedField[] = [
  ["string", "apple pie", "banana", pattern],
  ["text", "c:\\first", "second", pattern],
  ["email", "a@example.org", "b@example.com", pattern],
  ["integer", "-5", "2147483647", comparison],
  ["float", "0.5", "1e300", comparison],
  ["datetime", "2026-01-01T10:00:00Z", "2026-01-02T10:00:00.5Z", comparison],
  ["timestamp", "1999-12-31T23:59:59.999Z", "2026-01-01", comparison],
  ["date", "2026-01-31", "2026-02-28", comparison],
  ["created_at", "2026-01-01", "2026-01-02T00:00:00.000Z", comparison],
  ["updated_at", "2026-01-01T00:00", "2026-01-02T01:00+01:00", comparison],
  ["id", "1", "2", comparison],
  ["boolean", "false", "true", equality],
  ["uuid", uuids[0], uuids[1].toUpperCase(), equality],
  ["owner_id", owner, uuids[0], equality],
  ["size", "large", "small", equality],
  ["grade", "1", "2", equality],
];

/** The same for exact numbers and times, and of each list an element. */
const sampleFields: readonly TypedField[] = [
  ["decimal", "-99999999.99", "12.5", comparison],
  ["bigint", "-9223372036854775808", "9223372036854775807", comparison],
  ["time", "00:00", "23:59:59.999", comparison],
  ["wide", "0.000000000000000000000000000001", `${"9".repeat(30)}.${"1".padStart(30, "0")}`, comparison],
  ["whole", "9007199254740993", "9007199254740994.0", comparison],
  ["rate", "0.07", "0.190", equality],
  ["level", "1", "9007199254740993", equality],
  ["serial", "9007199254740993", "9007199254740994", comparison],
  ["strings", "apple pie", "banana", elements],
  ["texts", "first", "second", elements],
  ["emails", "a@example.org", "b@example.com", elements],
  ["integers", "-5", "2147483647", elements],
  ["bigints", "9007199254740993", "9007199254740994", elements],
  ["decimals", "1.50", "1.501", elements],
  ["floats", "0.5", "-0.25", elements],
  ["booleans", "false", "true", elements],
  ["datetimes", "2026-01-01T12:00:00+02:00", "2026-01-02T10:00:00.5Z", elements],
  ["dates", "2026-01-31", "2026-02-28", elements],
  ["times", "12:30:00", "23:59:59.999", elements],
  ["uuids", sampleUuids[0], sampleUuids[1].toUpperCase(), elements],
];

/** The ids that each operator finds, by the lower value `a` and the higher one `b`. Row 3 has no value. */
const finds: Readonly<Record<string, (a: string, b: string) => readonly [value: string, ids: number[]]>> = {
  "": (a) => [a, [1]],
  ne: (a) => [a, [2]],
  gt: (a) => [a, [2]],
  gte: (a) => [a, [1, 2]],
  lt: (_, b) => [b, [1]],
  lte: (_, b) => [b, [1, 2]],
  between: (a, b) => [`${a},${b}`, [1, 2]],
  in: (a, b) => [JSON.stringify([b, a]), [1, 2]],
  not_in: (a) => [a, [2]],
  like: (a) => [a.slice(1, -1), [1]],
  ilike: (_, b) => [b.slice(1, -1).toUpperCase(), [2]],
  contains: (a) => [a, [1]],
  overlaps: (a, b) => [`${b}, ${a}`, [1, 2]],
  is_null: () => ["", [3]],
  is_not_null: () => ["anything", [1, 2]],
};

describe.each([
  { model: "things", given, fields },
  { model: "samples", given: sampleRows, fields: sampleFields },
])("every operator on every type of field of $model", ({ model, given, fields }) => {
  for (const [field, lower, higher, fits] of fields) {
    // Rows always have an id and time stamps.
    const always = ["id", "created_at", "updated_at"].includes(field);
    test(field, async () => {
      await service.store(given);
      for (const operator of all) {
        const [value, found] = finds[operator]?.(lower, higher) ?? ["", []];
        const key = operator === "" ? field : `${field}__${operator}`;
        const filter = `${key}=${encodeURIComponent(value)}`;
        const replies = await Promise.all(
          ["fetch", "search", "count", "exists"].map((route) =>
            service.send({ method: "GET", path: `/${model}/${route}?${filter}` }),
          ),
        );
        if (!fits.includes(operator) && !nulls.includes(operator)) {
          expect(replies.map(outcome), filter).toEqual(Array(4).fill(`400 VALIDATION_ERROR ${key}`));
          continue;
        }
        const ids = !always ? found : alwaysFinds(field, operator, found);
        const rows = ids.map((id) => expect.objectContaining({ id }));
        const answers = [rows, rows, { count: ids.length }, { exists: ids.length > 0 }];
        expect(
          replies.map(({ envelope }) => envelope.data),
          filter,
        ).toEqual(answers);
      }
    });
  }
});

/** Row 3 has an id above the others and time stamps before them. */
function alwaysFinds(field: string, operator: string, found: number[]): number[] {
  if (operator === "is_null") return [];
  const above = ["ne", "not_in", "is_not_null", "gt", "gte"];
  const below = ["ne", "not_in", "is_not_null", "lt", "lte"];
  return (field === "id" ? above : below).includes(operator) ? [...found, 3] : found;
}

const finding = (filter: string, ids: readonly number[]): Scenario => ({
  given,
  send: `GET /things/fetch?${filter}&select_fields=id`,
  data: ids.map((id) => ({ id })),
});

const refused = (filter: string, field = filter.split("=")[0]): Scenario => ({
  given,
  send: `GET /things/fetch?${filter}`,
  fails: `400 VALIDATION_ERROR ${field}`,
});

describe("values", () => {
  scenarios(service, [
    { ...finding("string=apple+pie", [1]), name: "a plus sign is a blank" },
    finding("string__like=apple%25", [1]),
    finding("string__like=%25PIE", []),
    finding("string__ilike=%25PIE", [1]),
    finding("string__like=B", []),
    finding("string__like=pp", [1]),
    finding("string__like=_ppl_", [1]),
    finding("string__like=_pple_pie%25", [1]),
    finding("string__ilike=B_nana", [2]),
    finding("string__like=%5C", []),
    finding("text__like=%5C", [1]),
    finding("text__like=C:%5Cfirst", []),
    finding("text__ilike=C:%5Cfirst", [1]),
    finding("string__in=apple+pie,banana", [1, 2]),
    finding("string__in=apple+pie+,++banana", [1, 2]),
    finding('string__in=["apple+pie","banana+"]', [1]),
    finding("string__in=[]", []),
    finding("string__not_in=[]", [1, 2, 3]),
    finding("integer__in=[-5,7]", [1]),
    finding("integer__between=[-10,0]", [1]),
    finding("integer__between=0,-10", []),
    finding("integer=-5&float__lt=1&boolean=false", [1]),
    finding("integer__gte=-5&integer__lte=-5", [1]),
    finding("float=.5", [1]),
    finding("float=5e-1", [1]),
    finding("date__gt=2026-01-31", [2]),
    finding("datetime=2026-01-01T12:00:00%2B02:00", [1]),
    finding("datetime=2026-01-01T10:00", [1]),
    finding("datetime__lt=2026-01-02", [1]),
    finding("json__is_null=x", [3]),
    finding("json__is_not_null=", [1, 2]),
    finding("twin_id=1", [2]),
    finding("deleted_at=2026-01-01&integer=-5", [1]),
  ]);
});

describe("digits beyond milliseconds are compared as written", () => {
  const second = "2026-01-02T10:00:00";
  scenarios(service, [
    finding(`datetime__lt=${second}.5004Z`, [1, 2]),
    finding(`datetime__lt=${second}.5000000001Z`, [1, 2]),
    finding(`datetime__lte=${second}.4999999999Z`, [1]),
    finding(`datetime__gt=${second}.4999999999Z`, [2]),
    finding(`datetime__gte=${second}.5004Z`, []),
    finding("datetime__gte=2026-01-02T12:00:00.5000001%2B02:00", []),
    finding(`datetime=${second}.5004Z`, []),
    finding(`datetime=${second}.50000000000Z`, [2]),
    finding(`datetime__ne=${second}.5004Z`, [1, 2]),
    finding(`datetime__in=${second}.5004Z,${second}.5Z`, [2]),
    finding(`datetime__not_in=${second}.5004Z`, [1, 2]),
    finding(`datetime__between=${second}.4999999Z,${second}.5000001Z`, [2]),
    finding(`datetime__between=${second}.5000001Z,${second}.5009Z`, []),
    finding("updated_at__lt=2025-01-01T00:00:00.0001Z", [3]),
  ]);
});

describe("values that do not fit", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    ...["10abc", "%2010", "1e3", "1.0", "2147483648", "-2147483649", "0x10", "", "true", "%2B1"].map((value) => refused(`integer=${value}`)),
    refused("id=9223372036854775808"),
    ...["NaN", "Infinity", "1e400", "1,5", "", "1_0"].map((value) => refused(`float__gt=${value}`)),
    ...["1", "TRUE", "yes", ""].map((value) => refused(`boolean=${value}`)),
    refused("uuid=1a000000000040008000000000000001"),
    refused("uuid__in=1a000000-0000-4000-8000-000000000001,x"),
    ...["2026-02-30", "2026-01-01T00:00:00Z", "2026-1-1", "0000-01-01", "yesterday", "20260101", ""].map((value) => refused(`date=${value}`)),
    ...[
      "2026-01-01T24:00", "2026-01-01T23:59:60Z", "2026-01-01%2010:00", "2026-01-01T10", "10000-01-01", "2026-01-01T10:00+02:00",
      "0001-01-01T00:00%2B01:00", "now", "infinity",
    ].map((value) => refused(`datetime__gte=${value}`)),
    refused("size=medium"), refused("size__in=small,medium"), refused("grade=3"), refused("grade__not_in=[1,3]"), refused("string="),
    refused("string__like="), refused("string__in="),
    refused(`string__like=${"b".repeat(257)}`),
    refused(`text__ilike=%25${"b".repeat(255)}%25`),
    refused("string__in=[1,"), refused("integer__between=1"), refused("integer__between=1,2,3"), refused("integer__between=[]"),
    refused("integer__gt=1,2"), refused("string__in=a,,b"), refused("json=1"), refused("json__in=[]"), refused("nothing=1"),
    refused("nothing__gt=1"), refused("pets=1"), refused("integer__foo=1"), refused("integer__=1"), refused("integer__eq=1"),
    refused("integer__gt__lt=1"), refused("constructor=1"),
    refused("integer=1&integer=1", "integer"),
    refused("integer=x&integer=1", "integer"),
    { ...refused("integer=x&float=y&nothing=1", "integer"),
      details: { field: "integer",
        errors: [{ field: "integer", message: expect.any(String) }, { field: "float", message: expect.any(String) },
          { field: "nothing", message: expect.any(String) }] } },
  ]);
});

describe("filters in JSON", () => {
  const deleting = (query: { [key: string]: Json }, ids: number[]): Scenario => ({
    name: JSON.stringify(query),
    given: { ...given, things: given.things.map((row) => ({ ...row, twin_id: null })) },
    as: "admin",
    send: "DELETE /things/delete",
    body: { query },
    data: { deleted_count: ids.length, deleted_ids: ids },
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    deleting({ integer: -5 }, [1]),
    deleting({ integer: "-5" }, [1]),
    deleting({ integer: null }, [3]),
    deleting({ boolean: true }, [2]),
    deleting({ boolean: "true" }, [2]),
    deleting({ float__lt: 1 }, [1]),
    deleting({ integer__in: [-5, "2147483647"] }, [1, 2]),
    deleting({ integer__in: "-5,2147483647" }, [1, 2]),
    deleting({ integer__between: [-6, -4] }, [1]),
    deleting({ string__ilike: "banana" }, [2]),
    deleting({ date: "2026-01-31" }, [1]),
    deleting({ datetime__between: ["2026-01-01T09:59:59.9999999Z", "2026-01-01T10:00:00.0000001Z"] }, [1]),
    deleting({ uuid__not_in: [uuids[0]] }, [2]),
    deleting({ json__is_null: false }, [3]),
    deleting({ grade: 1, size: "large" }, [1]),
    { ...deleting({ string: "it's\"; drop table things; --" }, []), data: null, fails: "404 NOT_FOUND" },
    ...(
      [
        [{ integer: 1.5 }, "integer"],
        [{ integer: true }, "integer"],
        [{ integer: [1] }, "integer"],
        [{ integer: {} }, "integer"],
        [{ integer__gt: null }, "integer__gt"],
        [{ integer__ne: null }, "integer__ne"],
        [{ integer__in: [null] }, "integer__in"],
        [{ integer__in: 1 }, "integer__in"],
        [{ boolean: 1 }, "boolean"],
        [{ string: 1 }, "string"],
        [{ string__like: 1 }, "string__like"],
        [{ string__ilike: "😀".repeat(257) }, "string__ilike"],
        [{ text__like: "b".repeat(90_000) }, "text__like"],
        [{ date: 20260131 }, "date"],
        [{ nothing: 1 }, "nothing"],
        [{ constructor: 1 }, "constructor"],
      ] as const
    ).map(([query, field]) => ({ ...deleting(query, []),
      data: null,
      fails: `400 VALIDATION_ERROR ${field}`,
    })),
    { ...deleting({}, []), name: "__proto__", body: '{"query":{"__proto__":{"id":1}}}', headers: { "content-type": "application/json" },
      data: null, fails: "400 VALIDATION_ERROR __proto__" },
  ]);
});
