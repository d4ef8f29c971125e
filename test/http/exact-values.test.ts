import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { sampleUuids } from "../support/sample-rows.ts";
import { outcome, perform, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

type Fields = { readonly [field: string]: Json };

const given = {
  samples: [
    { id: 1, name: "one", amount: "12.50", serial: "9007199254740993", slot: "12:30", place: 7, price: null },
    { id: 2, name: "two", amount: "12.51", serial: "9007199254740994", slot: "12:30", place: 8, price: null },
  ],
};

const json = { headers: { "content-type": "application/json" } };

const creating = (data: Fields, answered: Fields): Scenario => ({
  name: JSON.stringify(data).slice(0, 60),
  as: "admin",
  send: "POST /samples/create",
  body: { data },
  data: expect.objectContaining(answered),
});

describe("exact numbers and times are answered in one form", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    ...(
      [
        ["decimal", "12.5", "12.50"],
        ["decimal", "12", "12.00"],
        ["decimal", 12.5, "12.50"],
        ["decimal", 1e7, "10000000.00"],
        ["decimal", 0.01, "0.01"],
        ["decimal", "-0", "0.00"],
        ["decimal", "-0.00", "0.00"],
        ["decimal", "-99999999.99", "-99999999.99"],
        ["decimal", null, null],
        ["wide", 1e-7, "0.000000100000000000000000000000"],
        ["wide", 1e21, `${(1e21).toLocaleString("fullwide", { useGrouping: false })}.${"0".repeat(30)}`],
        ["wide", 123456789.012345, `123456789.012345${"0".repeat(24)}`],
        ["wide", `-${"9".repeat(30)}.${"9".repeat(30)}`, `-${"9".repeat(30)}.${"9".repeat(30)}`],
        ["whole", "99999999999999999999", "99999999999999999999"],
        ["price", "0.01", "0.01"],
        ["price", 99999, "99999.00"],
        ["rate", "0.19", "0.19"],
        ["rate", 0.07, "0.07"],
        ["bigint", "9223372036854775807", "9223372036854775807"],
        ["bigint", "-9223372036854775808", "-9223372036854775808"],
        ["bigint", 9007199254740991, "9007199254740991"],
        ["bigint", "-0", "0"],
        ["step", -10, "-10"],
        ["level", "9007199254740993", "9007199254740993"],
        ["time", "12:30", "12:30:00.000"],
        ["time", "12:30:15", "12:30:15.000"],
        ["time", "23:59:59.9", "23:59:59.900"],
        ["time", "00:00", "00:00:00.000"],
      ] as const
    ).map(([field, sent, answered]) => creating({ [field]: sent }, { [field]: answered })),
    { ...creating({}, { price: "9.50", step: "1", opens: "09:00:00.000" }), name: "defaults", body: { data: { name: "x" } } },
    creating({ price: null, step: null, opens: null }, { price: null, step: null, opens: null }),
    { ...creating({}, { decimal: "0.10", wide: `0.1${"0".repeat(29)}`, bigint: "0" }), name: "a number is judged by its double",
      body: '{"data":{"decimal":0.1000000000000000055,"wide":1.0e-1,"bigint":-0}}', ...json },
  ]);
});

describe("a value out of range is refused in every request, and never rounded", () => {
  const sent: readonly (readonly [field: string, json: string])[] = [
    ["decimal", '"1.505"'],
    ["decimal", '"1.500"'],
    ["decimal", "1.505"],
    ["decimal", '"100000000"'],
    ["decimal", "1e8"],
    ["decimal", "1e400"],
    ["decimal", "0.30000000000000004"],
    ["wide", "12345678901234567890"],
    ["wide", "0.12345678901234567"],
    ["decimal", '"1e1"'],
    ["decimal", '"+1"'],
    ["decimal", '".5"'],
    ["decimal", '"5."'],
    ["decimal", '"01"'],
    ["decimal", '" 1"'],
    ["decimal", '""'],
    ["decimal", '"٣"'],
    ["decimal", "true"],
    ["decimal", "[1]"],
    ["decimal", '"NaN"'],
    ["price", '"0"'],
    ["price", '"99999.01"'],
    ["rate", '"0.08"'],
    ["bigint", '"9223372036854775808"'],
    ["bigint", "9223372036854775808"],
    ["bigint", "12345678901234567890"],
    ["bigint", "1.5"],
    ["bigint", '"1.0"'],
    ["bigint", '"1e3"'],
    ["bigint", "false"],
    ["step", "-11"],
    ["step", '"9007199254740994"'],
    ["level", "2"],
    ["time", '"24:00"'],
    ["time", '"12:00:00.0001"'],
    ["time", '"12:00:00Z"'],
    ["time", "1200"],
  ];
  const ways: readonly (readonly [send: string, body: (pair: string) => string])[] = [
    ["POST /samples/create", (pair) => `{"data":{${pair}}}`],
    ["PUT /samples/upsert", (pair) => `{"data":{"serial":5,${pair}}}`],
    ["PUT /samples/update", (pair) => `{"where":{"id":1},"data":{${pair}}}`],
  ];
  scenarios(
    service,
    sent.flatMap(([field, value]) =>
      ways.map(([send, body]) => ({
        name: `${send} ${field} ${value}`,
        given,
        as: "admin",
        send,
        body: body(`"${field}":${value}`),
        ...json,
        fails: `400 VALIDATION_ERROR ${field}`,
        rows: {
          samples: [
            { id: 1, name: "one" },
            { id: 2, name: "two" },
          ],
        },
      })),
    ),
  );
  test.each([
    ["POST /samples/create", "inserted", {}],
    ["PUT /samples/update", "updated", { id: 2 }],
  ])("%s of a list: only the record fails", async (send, done, named) => {
    for (const [field, value] of sent) {
      const [good, bad] = [JSON.stringify({ ...named, name: "good" }), JSON.stringify({ ...named, id: 1 })];
      const record =
        done === "updated" ? `${bad.slice(0, -1)},"${field}":${value}}` : `{"${field}":${value}}`;
      await perform(service, {
        given,
        as: "admin",
        send,
        body: `{"data":[${record},${good}]}`,
        ...json,
        data: {
          [`${done}_count`]: 1,
          [`${done}_ids`]: [expect.any(Number)],
          failed_count: 1,
          failed_records: [
            { index: 0, error: "VALIDATION_ERROR", message: expect.stringContaining(field), field },
          ],
          total_attempted: 2,
        },
      });
    }
  });
});

describe("keys are found by value", () => {
  const admin = { given, as: "admin" } as const;
  const twice = (field: string, data: Fields): Scenario => ({
    ...admin,
    name: `${JSON.stringify(data)} is taken`,
    send: "POST /samples/create",
    body: { data },
    fails: `400 VALIDATION_ERROR ${field}`,
  });
  const upserting = (data: Fields, id: unknown): Scenario => ({
    ...admin,
    name: `upsert ${JSON.stringify(data)}`,
    send: "PUT /samples/upsert",
    body: { data },
    data: { id },
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    upserting({ amount: "12.5", name: "x" }, 1),
    upserting({ amount: 12.51, name: "x" }, 2),
    upserting({ amount: "12.52", name: "x" }, expect.not.toBeOneOf([1, 2])),
    upserting({ serial: "9007199254740993", name: "x" }, 1),
    upserting({ serial: "9007199254740992" }, expect.not.toBeOneOf([1, 2])),
    upserting({ slot: "12:30:00.0", place: "8" }, 2),
    upserting({ slot: "12:30", place: 9 }, expect.not.toBeOneOf([1, 2])),
    upserting({ id: 2, decimal: 1 }, 2),
    twice("amount", { amount: 12.5 }),
    twice("serial", { serial: "9007199254740994" }),
    twice("slot", { slot: "12:30:00", place: "7" }),
    { ...admin, name: "a bigint refers to a bigint", send: "POST /samples/create", body: { data: { parent: "9007199254740993" } },
      data: expect.objectContaining({ parent: "9007199254740993" }) },
    { ...admin, name: "a bigint that refers to nothing", send: "POST /samples/create", body: { data: { parent: "9007199254740995" } },
      fails: "400 VALIDATION_ERROR parent" },
    { ...admin, name: "one that is still referred to is let go", given: { samples: [...given.samples, { id: 3, parent: "9007199254740993" }] },
      send: "DELETE /samples/destroy", body: { query: { serial: "9007199254740993" } }, rows: { samples: [{ id: 2 }, { id: 3, parent: null }] } },
  ]);
});

const creatingList = (field: string, sent: Json, answered: unknown = sent): Scenario => ({
  name: `${field} ${JSON.stringify(sent)}`,
  as: "admin",
  send: "POST /samples/create",
  body: { data: { [field]: sent } },
  data: expect.objectContaining({ [field]: answered }),
});

describe("what is stored and answered", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    creatingList("strings", []),
    creatingList("strings", null),
    creatingList("strings", ["b", "a", "b", ""]),
    creatingList("strings", ['"quoted"', "back\\slash", "{a,b}", "NULL", "null", " ", "a,b", "é😀", "'"]),
    creatingList("texts", ["x".repeat(1000)]),
    creatingList("emails", ["ü@exämple.org"]),
    creatingList("integers", [2147483647, -2147483648, 0]),
    creatingList("bigints", ["9223372036854775807", 5, "-0"], ["9223372036854775807", "5", "0"]),
    creatingList("decimals", ["1.5", 2, "-0.125"], ["1.500", "2.000", "-0.125"]),
    creatingList("floats", [0.1, 1e300, -5]),
    creatingList("booleans", [true, false]),
    creatingList("datetimes", ["2026-01-01T12:00:00.123456+02:00", "2026-01-01"], ["2026-01-01T10:00:00.123Z", "2026-01-01T00:00:00.000Z"]),
    creatingList("dates", ["2026-02-28"]),
    creatingList("times", ["12:30", "23:59:59.9"], ["12:30:00.000", "23:59:59.900"]),
    creatingList("uuids", [sampleUuids[0].toUpperCase()], [sampleUuids[0]]),
    creatingList("labels", ["c", "a", "b"]),
    creatingList("labels", null),
    creatingList("grades", [2, "1.5", "2.0"], ["2.0", "1.5", "2.0"]),
    { ...creatingList("name", "x"), name: "a default", data: expect.objectContaining({ labels: ["b"], grades: null }) },
    creatingList("amounts", ["0.5", 1], ["0.50", "1.00"]),
    creatingList("integers", Array.from({ length: 1000 }, (_, index) => index)),
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
