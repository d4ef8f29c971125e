import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { sampleUuids } from "../support/sample-rows.ts";
import { outcome, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

const creating = (field: string, sent: Json, answered: unknown = sent): Scenario => ({
  name: `${field} ${JSON.stringify(sent)}`,
  as: "admin",
  send: "POST /samples/create",
  body: { data: { [field]: sent } },
  data: expect.objectContaining({ [field]: answered }),
});

describe("what is stored and answered", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    creating("strings", []),
    creating("strings", null),
    creating("strings", ["b", "a", "b", ""]),
    creating("strings", ['"quoted"', "back\\slash", "{a,b}", "NULL", "null", " ", "a,b", "é😀", "'"]),
    creating("texts", ["x".repeat(1000)]),
    creating("emails", ["ü@exämple.org"]),
    creating("integers", [2147483647, -2147483648, 0]),
    creating("bigints", ["9223372036854775807", 5, "-0"], ["9223372036854775807", "5", "0"]),
    creating("decimals", ["1.5", 2, "-0.125"], ["1.500", "2.000", "-0.125"]),
    creating("floats", [0.1, 1e300, -5]),
    creating("booleans", [true, false]),
    creating("datetimes", ["2026-01-01T12:00:00.123456+02:00", "2026-01-01"], ["2026-01-01T10:00:00.123Z", "2026-01-01T00:00:00.000Z"]),
    creating("dates", ["2026-02-28"]),
    creating("times", ["12:30", "23:59:59.9"], ["12:30:00.000", "23:59:59.900"]),
    creating("uuids", [sampleUuids[0].toUpperCase()], [sampleUuids[0]]),
    creating("labels", ["c", "a", "b"]),
    creating("labels", null),
    creating("grades", [2, "1.5", "2.0"], ["2.0", "1.5", "2.0"]),
    { ...creating("name", "x"), name: "a default", data: expect.objectContaining({ labels: ["b"], grades: null }) },
    creating("amounts", ["0.5", 1], ["0.50", "1.00"]),
    creating("integers", Array.from({ length: 1000 }, (_, index) => index)),
  ]);
});

describe("what does not fit", () => {
  // biome-ignore format: one case a line
  const refused: readonly (readonly [field: string, sent: Json, message: string])[] = [
    ["strings", "a", "must be array or null"],
    ["strings", {}, "must be array or null"],
    ["strings", ["a", null], "[1] must be string"],
    ["strings", ["a", 1], "[1] must be string"],
    ["strings", [["a"]], "[0] must be string"],
    ["strings", ["x".repeat(256)], "[0] must have at most 255 characters"],
    ["integers", [1, 2147483648], "[1] must be a whole number between -2147483648 and 2147483647"],
    ["integers", ["1"], "[0] must be integer"],
    ["emails", ["a@example.org", "x"], "[1] must be an e-mail address"],
    ["decimals", ["1.2345"], "[0] must be a decimal with at most 5 digits before the point and at most 3 after it"],
    ["bigints", ["1", "9223372036854775808"], "[1] must be a whole number between -9223372036854775808 and 9223372036854775807"],
    ["floats", ["1"], "[0] must be number"],
    ["booleans", ["true"], "[0] must be boolean"],
    ["datetimes", ["2026-02-30"], "[0] must be an ISO-8601 date or datetime"],
    ["dates", ["2026-02-30"], "[0] must be a date, YYYY-MM-DD"],
    ["times", ["24:00"], "[0] must be a time of day, HH:mm or HH:mm:ss.sss"],
    ["uuids", ["x"], "[0] must be a UUID"],
    ["labels", ["a", "b", "c", "d"], "must have at most 3 elements"],
    ["labels", ["a", "b", "a"], "must not hold the same twice, as at [0] and [2]"],
    ["labels", ["a", "e"], "[1] must be one of a, b, c, d"],
    ["grades", ["1.5", "2.5"], "[1] must be one of 1.5, 2.0"],
    ["codes", [], "must have at least 1 element"],
    ["codes", ["ab", "a"], "[1] must have at least 2 characters"],
    ["codes", ["abcde"], "[0] must have at most 4 characters"],
    ["codes", ["ab", "A1"], "[1] must match ^[a-z]+$"],
    ["scores", [0, 11], "[1] must be at most 10"],
    ["scores", [-1], "[0] must be at least 0"],
    ["amounts", ["0.5", "0.49"], "[1] must be at least 0.50"],
    ["amounts", ["1.5", 2, 1.5], "must not hold the same twice, as at [0] and [2]"],
    ["amounts", ["1.5", "1.50"], "must not hold the same twice, as at [0] and [1]"],
    ["integers", Array.from({ length: 1001 }, () => "x"), "must have at most 1000 elements"],
  ];
  test.each(refused)("%s %j: %s", async (field, sent, message) => {
    await service.store({ samples: [{ id: 1 }] });
    const data = { [field]: sent };
    for (const [method, path, body] of [
      ["POST", "create", { data }],
      ["PUT", "upsert", { data: { serial: 1, ...data } }],
      ["PUT", "update", { where: { id: 1 }, data }],
    ] as const) {
      const reply = await service.send({ method, path: `/samples/${path}`, body }, "admin");
      expect(outcome(reply), reply.text).toBe(`400 VALIDATION_ERROR ${field}`);
      expect(reply.envelope.message).toBe(`${field}: ${message}`);
      expect(reply.envelope.details).toEqual({ field });
    }
    for (const [method, path, record] of [
      ["POST", "create", data],
      ["PUT", "update", { id: 1, ...data }],
    ] as const) {
      const reply = await service.send(
        { method, path: `/samples/${path}`, body: { data: [record] } },
        "admin",
      );
      const failed = { index: 0, error: "VALIDATION_ERROR", field, message: `${field}: ${message}` };
      expect(reply.envelope.details).toEqual({ failed_records: [failed] });
    }
  });
  scenarios(service, [
    {
      name: "each list tells one problem, however many elements are wrong",
      as: "admin",
      send: "POST /samples/create",
      body: { data: { scores: Array(900).fill(11), integers: ["x", "y"] } },
      fails: "400 VALIDATION_ERROR integers",
      details: {
        field: "integers",
        errors: [
          { field: "integers", message: "[0] must be integer" },
          { field: "scores", message: "[0] must be at most 10" },
        ],
      },
    },
  ]);
});
