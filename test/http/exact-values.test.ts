import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { perform, type Scenario, scenarios } from "../support/scenarios.ts";
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

describe("what does not fit is refused wherever it is sent, and never rounded", () => {
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
  ])("%s of a list: the record fails alone", async (send, done, named) => {
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
