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

const refused = (filter: string, field = filter.split("=")[0]): Scenario => ({
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
    refused("strings=plum"),
    refused('strings=["apple+pie","plum"]'),
    refused("strings__contains="),
    refused("strings__contains=a,,b"),
    refused("strings__contains=[null]"),
    refused('strings__contains=["a"'),
    refused("strings__in=plum"),
    refused("labels__contains=e"),
    refused("labels__in=a"),
    refused("labels=b"),
    refused("grades__overlaps=2.01"),
    refused("strings__ne=plum"),
    refused("strings__like=plum"),
    refused("strings__gt=plum"),
    refused("name__contains=a"),
    refused("decimal__overlaps=1"),
    refused("integers__contains=x"),
    refused("integers__contains=1.0"),
    refused("decimals__contains=1e3"),
    refused("decimals__overlaps=100000"),
    refused("uuids__overlaps=1"),
    refused("order_by=strings", "order_by"),
    refused("order_by=decimals&order=desc", "order_by"),
  ]);
  test("an order is refused by the name that the type has in models", async () => {
    const reply = await perform(service, refused("order_by=bigints", "order_by"));
    expect(reply.envelope.message).toBe("order_by: cannot order by a bigint[] field");
  });
});

describe("filters in JSON", () => {
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
    { ...fails({}, "query"), name: "an empty list alone deletes nothing", send: "DELETE /samples/delete",
      body: { query: { strings__contains: [] } } },
    { ...fails({}, "query"), name: "nor in a query string", send: "DELETE /samples/destroy?strings__contains=[]", body: undefined },
  ]);
});
