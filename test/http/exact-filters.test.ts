import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { sampleRows as given, sampleUuids } from "../support/sample-rows.ts";
import { perform, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

const finding = (filter: string, ids: readonly number[]): Scenario => ({
  given,
  send: `GET /samples/fetch?${filter}&select_fields=id`,
  data: ids.map((id) => ({ id })),
});

const refused = (filter: string): Scenario => ({
  given,
  send: `GET /samples/fetch?${filter}`,
  fails: `400 VALIDATION_ERROR ${filter.split("=")[0]}`,
});

const updating = (where: { [key: string]: Json }, ids: readonly number[]): Scenario => ({
  name: JSON.stringify(where),
  given,
  as: "admin",
  send: "PUT /samples/update",
  body: { where, data: { name: "found" } },
  ...(ids.length > 0
    ? { data: { updated_count: ids.length, updated_ids: ids } }
    : { fails: "404 NOT_FOUND" }),
});

describe("decimals are compared by value and never rounded", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    finding("decimal=12.5", [2]),
    finding("decimal=12.50", [2]),
    finding("decimal=12.500000", [2]),
    finding("decimal=12.505", []),
    finding("decimal=12.495", []),
    finding("decimal__ne=12.505", [1, 2]),
    finding("decimal__gt=12.505", []),
    finding("decimal__gt=12.4999999999999999999999", [2]),
    finding("decimal__lt=12.5000000000000000000001", [1, 2]),
    finding("decimal__gte=12.5000000000000000000001", []),
    finding("decimal__between=12.49999,12.50001", [2]),
    finding("decimal__between=12.501,12.509", []),
    finding("decimal__in=12.505,12.5", [2]),
    finding('decimal__in=[12.5,"-99999999.99"]', [1, 2]),
    finding("decimal__not_in=12.505", [1, 2]),
    finding("decimal__lt=-0", [1]),
    finding("wide__gt=0.0000000000000000000000000000009", [1, 2]),
    finding("wide__lt=0.0000000000000000000000000000011", [1]),
    finding("whole=9007199254740993", [1]),
    finding("whole__gt=9007199254740992.999", [1, 2]),
    finding("whole__gt=9007199254740993.000", [2]),
    finding("rate=0.070", [1]),
    finding("order_by=decimal&order=desc&decimal__is_not_null=1", [2, 1]),
    finding("order_by=decimal&order=desc", [3, 2, 1]),
    finding("order_by=wide", [1, 2, 3]),
    { ...finding("order_by=decimal&limit=1&offset=1", [2]), pagination: { limit: 1, page: 2, offset: 1, total: 3, total_pages: 3, has_more: true } },
  ]);
});

describe("whole numbers of 64 bits are compared by every digit", () => {
  scenarios(service, [
    finding("serial=9007199254740993", [1]),
    finding("serial=9007199254740992", []),
    finding("serial__gt=9007199254740993", [2]),
    finding("serial__in=9007199254740994,5", [2]),
    finding("parent=9007199254740993", [2]),
    finding("level__in=[1]", [1]),
    finding("order_by=serial&order=desc&serial__is_not_null=1", [2, 1]),
    finding("order_by=bigint", [1, 2, 3]),
  ]);
});

describe("times of day are compared as such", () => {
  scenarios(service, [
    finding("time=00:00:00", [1]),
    finding("time=00:00:00.0", [1]),
    finding("time__gt=23:59:59.99", [2]),
    finding("time__between=00:00,23:59", [1]),
    finding("order_by=time&order=desc&time__is_not_null=1", [2, 1]),
  ]);
});

describe("values that do not fit", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    ...[
      "1e1", "%2B1", ".5", "5.", "05", "1,5", "", "NaN", "%201", "1_0", "0x1", "-", "%D9%A3",
      "1".repeat(4001),
    ].map((value) => refused(`decimal=${value}`)),
    refused("decimal__gt=100000000"), refused("decimal__in=1,100000000.5"), refused("rate=0.08"), refused("rate__gt=0.07"),
    refused("decimal__like=1"),
    ...["1.0", "1e3", "9223372036854775808", "-9223372036854775809", "", "%2B1", "007"].map((value) => refused(`bigint=${value}`)),
    refused("level=2"),
    ...["24:00", "12:60", "12", "1:00", "12:00:60", "12:00:00.0001", "12:00Z", "", "noon"].map((value) => refused(`time=${value}`)),
    refused("time__ilike=12"),
  ]);
});

describe("filters in JSON", () => {
  const refusedBody = (body: string, field: string): Scenario => ({
    given,
    as: "admin",
    send: "PUT /samples/update",
    headers: { "content-type": "application/json" },
    body: `{"where":${body},"data":{"name":"x"}}`,
    name: body,
    fails: `400 VALIDATION_ERROR ${field}`,
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    updating({ decimal: 12.5 }, [2]),
    updating({ decimal: "12.50" }, [2]),
    updating({ decimal: 12.505 }, []),
    updating({ decimal__gt: 12 }, [2]),
    updating({ decimal: null }, [3]),
    updating({ decimal__between: ["-99999999.995", 0] }, [1]),
    updating({ wide__lt: 1e-7 }, [1]),
    updating({ whole__in: ["9007199254740993", 5] }, [1]),
    updating({ bigint__lte: "-9223372036854775808" }, [1]),
    updating({ bigint__gt: 0 }, [2]),
    updating({ serial: "9007199254740993" }, [1]),
    updating({ time__in: ["00:00", "12:00"] }, [1]),
    refusedBody('{"serial":9223372036854775808}', "serial"),
    refusedBody('{"bigint":1.5}', "bigint"),
    refusedBody('{"bigint":true}', "bigint"),
    refusedBody('{"decimal":0.30000000000000004}', "decimal"),
    refusedBody('{"decimal":12345678901234567890}', "decimal"),
    refusedBody('{"decimal":1e400}', "decimal"),
    refusedBody('{"decimal":true}', "decimal"),
    refusedBody('{"decimal":[1]}', "decimal"),
    refusedBody('{"decimal__gt":null}', "decimal__gt"),
    refusedBody('{"decimal__in":[null]}', "decimal__in"),
    refusedBody('{"time":1200}', "time"),
    { ...updating({}, [2]), name: "a number is judged by its double",
      body: '{"where":{"decimal":12.50000000000000000001},"data":{"name":"found"}}', headers: { "content-type": "application/json" } },
  ]);
});

const refusedList = (filter: string, field = filter.split("=")[0]): Scenario => ({
  given,
  send: `GET /samples/fetch?${filter}`,
  fails: `400 VALIDATION_ERROR ${field}`,
});

describe("elements in a query string", () => {
  scenarios(service, [
    finding("strings__contains=plum,apple+pie", [1]),
    finding("strings__contains=plum,+apple+pie,plum", [1]),
    finding("strings__contains=plum,banana", []),
    finding('strings__contains=["apple+pie"]', [1]),
    finding("strings__contains=apple", []),
    finding("strings__overlaps=plum,banana", [1, 2]),
    finding("strings__overlaps=[]", []),
    finding("strings__contains=[]", [1, 2, 3]),
    finding("strings__contains=[]&integers__contains=7&bigints__contains=[]", [1]),
    finding("integers__contains=7,-5", [1]),
    finding("integers__overlaps=[7,2147483647]", [1, 2]),
    finding("decimals__contains=1.5", [1]),
    finding("decimals__contains=1.5000", [1]),
    finding("decimals__contains=1.5004", []),
    finding("decimals__overlaps=1.5,1.501", [1, 2]),
    finding("bigints__contains=9007199254740992", []),
    finding("booleans__contains=true", [2]),
    finding("times__overlaps=12:30,13:00", [1]),
    finding("datetimes__contains=2026-01-02T10:00:00.5001Z", []),
    finding("dates__is_null=1&dates__is_not_null=1", []),
    finding("strings__contains=plum&order_by=name", [1]),
    finding("labels__contains=b", [1, 2, 3]),
    finding("labels__overlaps=a,c", []),
    finding("grades__overlaps=2.00,1.5", []),
  ]);
});

describe("what does not fit", () => {
  scenarios(service, [
    refusedList("strings=plum"),
    refusedList('strings=["apple+pie","plum"]'),
    refusedList("strings__contains="),
    refusedList("strings__contains=a,,b"),
    refusedList("strings__contains=[null]"),
    refusedList('strings__contains=["a"'),
    refusedList("strings__in=plum"),
    refusedList("labels__contains=e"),
    refusedList("labels__in=a"),
    refusedList("labels=b"),
    refusedList("grades__overlaps=2.01"),
    refusedList("strings__ne=plum"),
    refusedList("strings__like=plum"),
    refusedList("strings__gt=plum"),
    refusedList("name__contains=a"),
    refusedList("decimal__overlaps=1"),
    refusedList("integers__contains=x"),
    refusedList("integers__contains=1.0"),
    refusedList("decimals__contains=1e3"),
    refusedList("decimals__overlaps=100000"),
    refusedList("uuids__overlaps=1"),
    refusedList("order_by=strings", "order_by"),
    refusedList("order_by=decimals&order=desc", "order_by"),
  ]);
  test("an order is refused by the name that the type has in models", async () => {
    const reply = await perform(service, refusedList("order_by=bigints", "order_by"));
    expect(reply.envelope.message).toBe("order_by: cannot order by a bigint[] field");
  });
});

describe("filters in JSON", () => {
  const fails = (where: { [key: string]: Json }, field: string): Scenario => ({
    ...updating(where, [1]),
    data: null,
    fails: `400 VALIDATION_ERROR ${field}`,
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    updating({ strings: ["apple pie", "plum"] }, [1]),
    updating({ strings: ["plum", "apple pie"] }, []),
    updating({ strings: ["apple pie"] }, []),
    updating({ strings: [] }, []),
    updating({ strings: null }, [3]),
    updating({ texts: ["first"] }, [1]),
    updating({ emails: ["a@example.org"] }, [1]),
    updating({ integers: [-5, "7"] }, [1]),
    updating({ bigints: ["9007199254740994", -1] }, [2]),
    updating({ decimals: [1.5] }, [1]),
    updating({ decimals: ["1.50"] }, [1]),
    updating({ decimals: ["1.5004"] }, []),
    updating({ floats: [0.5, 1e300] }, [1]),
    updating({ booleans: [true, true] }, [2]),
    updating({ datetimes: ["2026-01-01T12:00:00+02:00"] }, [1]),
    updating({ dates: ["2026-02-28"] }, [2]),
    updating({ times: ["12:30"] }, [1]),
    updating({ labels: ["b"] }, [1, 2, 3]),
    updating({ uuids: [sampleUuids[0].toUpperCase()] }, [1]),
    updating({ strings__contains: ["plum"] }, [1]),
    updating({ strings__contains: "plum" }, [1]),
    updating({ strings__overlaps: ["plum", "banana"] }, [1, 2]),
    updating({ strings__overlaps: [] }, []),
    updating({ strings__contains: [], id__in: [1, 3] }, [1, 3]),
    updating({ strings__is_null: true }, [3]),
    fails({ strings__contains: [] }, "where"),
    fails({ strings__contains: [], integers__contains: [] }, "where"),
    fails({ strings: "plum" }, "strings"),
    fails({ strings: "apple pie,plum" }, "strings"),
    fails({ strings: {} }, "strings"),
    fails({ strings: [null] }, "strings"),
    fails({ strings: [["a"]] }, "strings"),
    fails({ strings: [1] }, "strings"),
    fails({ strings__contains: null }, "strings__contains"),
    fails({ integers__contains: 7 }, "integers__contains"),
    fails({ strings__in: [["plum"]] }, "strings__in"),
    { ...fails({}, "query"), name: "only an empty list deletes nothing", send: "DELETE /samples/delete",
      body: { query: { strings__contains: [] } } },
    { ...fails({}, "query"), name: "nor in a query string", send: "DELETE /samples/destroy?strings__contains=[]", body: undefined },
  ]);
});
