import { afterEach, describe, expect, test } from "vitest";
import type { ModelRoutes } from "#runtime/api/rest/index";
import { sampleRows } from "../support/sample-rows.ts";
import { perform, type Scenario } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import { service as fixture } from "./fixture/generated/index.ts";
import type { SamplesHooks } from "./fixture/generated/models/samples/model.ts";

type Name = keyof SamplesHooks;

/** What the hooks of samples were given, and what the test at hand has one of them do. */
const fired: Partial<Record<Name, unknown>> = {};
let plays: Readonly<Partial<Record<Name, (value: never) => unknown>>> = {};

// biome-ignore format: many a line
const names = [
  "before_fetch", "before_create", "after_create", "before_update", "before_upsert", "before_delete",
] as const satisfies readonly Name[];

const hooks = Object.fromEntries(
  names.map((name) => [
    name,
    (value: never) => {
      fired[name] = structuredClone(value);
      return plays[name]?.(value);
    },
  ]),
);

const hooked = (entry: ModelRoutes): ModelRoutes =>
  entry.model.key === "samples" ? { ...entry, hooks: { ...entry.hooks, ...hooks } } : entry;
const service = await testService({}, { served: { ...fixture, models: fixture.models.map(hooked) } });

afterEach(() => {
  plays = {};
  for (const name of names) delete fired[name];
});

const admin = { as: "admin", given: sampleRows } as const;
const sent = {
  decimal: 12.5,
  bigint: 7,
  time: "12:30",
  decimals: ["1.5", 2],
  bigints: [1],
  times: ["08:00"],
};
const answered = {
  decimal: "12.50",
  bigint: "7",
  time: "12:30:00.000",
  decimals: ["1.500", "2.000"],
  bigints: ["1"],
  times: ["08:00:00.000"],
};

describe("hooks see the form that is answered, in", () => {
  // biome-ignore format: one case a line
  test.each<[string, Scenario, typeof fired]>([
    ["a new record", { ...admin, send: "POST /samples/create", body: { data: { ...sent, datetimes: ["2026-01-01"] } } },
      { before_create: { ...answered, datetimes: ["2026-01-01T00:00:00.000Z"] }, after_create: expect.objectContaining(answered) }],
    ["each record of a list", { ...admin, send: "POST /samples/create", body: { data: [sent] } },
      { before_create: answered, after_create: expect.objectContaining({ inserted_count: 1 }) }],
    ["an upsert", { ...admin, send: "PUT /samples/upsert", body: { data: { ...sent, serial: 5 } } }, { before_upsert: { ...answered, serial: "5" } }],
    ["an update and its filters",
      { ...admin, send: "PUT /samples/update",
        body: { where: { decimal: 12.5, time__gte: "12:00", bigint__in: [1, "9223372036854775807"] }, data: sent } },
      { before_update: { where: { decimal: "12.50", time__gte: "12:00:00.000", bigint__in: ["1", "9223372036854775807"] }, data: answered } }],
    ["an update of a list", { ...admin, send: "PUT /samples/update", body: { data: [{ id: 1, ...sent }] } },
      { before_update: { where: { id: 1 }, data: answered } }],
    [
      "the filters of a query, where nothing is rounded",
      { ...admin,
        send: "GET /samples/fetch?decimal__lt=12.505&decimals__contains=1.5&integers__overlaps=7,8&strings__contains=[]",
      },
      { before_fetch: expect.objectContaining({ where: { decimal__lt: "12.505",
            decimals__contains: ["1.500"],
            integers__overlaps: [7, 8],
            strings__contains: [],
          },
        }),
      },
    ],
    ["those of a removal", { ...admin, send: "DELETE /samples/delete", body: { query: { decimals: [1.5], integers: ["-5", 7], name: "one" } } },
      { before_delete: { where: { decimals: ["1.500"], integers: [-5, 7], name: "one" } } }],
  ])("%s", async (_, scenario, values) => {
    await perform(service, scenario);
    expect(fired).toEqual(values);
  });
});

describe("what hooks put in", () => {
  test("takes any form that a caller may send", async () => {
    plays = { before_create: () => ({ ...sent, uuids: ["1A000000-0000-4000-8000-000000000001"] }) };
    await perform(service, {
      ...admin,
      send: "POST /samples/create",
      body: { data: { name: "x" } },
      data: expect.objectContaining({ ...answered, uuids: ["1a000000-0000-4000-8000-000000000001"] }),
    });
  });

  test.each([
    ["decimal", "1.505"],
    ["bigint", 2 ** 53],
    ["time", "25:00"],
    ["labels", ["a", "a"]],
    ["strings", [null]],
  ])("is checked as what was sent: %s %j", async (field, value) => {
    plays = { before_create: () => ({ [field]: value }) };
    const body = { data: { name: "x" } };
    await perform(service, {
      ...admin,
      send: "POST /samples/create",
      body,
      fails: `400 VALIDATION_ERROR ${field}`,
    });
  });

  test("may make good what is out of bounds, but not what has too many digits", async () => {
    plays = { before_create: () => ({ price: "1.00", labels: ["a"] }) };
    const create = { ...admin, send: "POST /samples/create" } as const;
    await perform(service, { ...create, body: { data: { price: "0", labels: ["a", "a", "b", "c"] } } });
    const body = { data: { price: "0.001" } };
    await perform(service, { ...create, body, fails: "400 VALIDATION_ERROR price" });
  });

  test.each([
    [{ strings__contains: [] }, "500 INTERNAL_ERROR"],
    [{ decimal: 12.505 }, "404 NOT_FOUND"],
    [{ decimal: "x" }, "500 INTERNAL_ERROR"],
    [{ strings: ["banana"] }, "200"],
    // biome-ignore lint/suspicious/noSparseArray: a hook may leave a gap.
    [{ strings__overlaps: ["banana", , "plum"] }, "500 INTERNAL_ERROR"],
  ])("is a filter like a caller's: %j", async (where, expected) => {
    plays = { before_delete: () => ({ where }) };
    const body = { query: { name: "two" } };
    const fails = expected === "200" ? {} : { fails: expected };
    await perform(service, { ...admin, send: "DELETE /samples/delete", body, ...fails });
  });

  test("a filter that a hook gives back as it got it asks for the same", async () => {
    const send = "GET /samples/fetch?strings__contains=[]&decimal__lte=12.5&select_fields=id";
    await perform(service, { ...admin, send, data: [{ id: 1 }, { id: 2 }] });
  });
});
