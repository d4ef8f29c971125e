import { beforeAll, describe, expect, test } from "vitest";
import { sendWith } from "../support/code-in-hooks.ts";
import { outcome } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

/** Each table has one row with the id 5, in which a writer other than the service put the value. */
const odd: readonly (readonly [model: string, field: string, value: string])[] = [
  ["things", "datetime", "infinity"],
  ["things", "datetime", "-infinity"],
  ["things", "datetime", "0044-03-15 00:00:00 BC"],
  ["things", "datetime", "10000-01-01 00:00:00"],
  ["things", "created_at", "infinity"],
  ["things", "date", "infinity"],
  ["things", "date", "0044-03-15 BC"],
  ["things", "date", "10000-01-01"],
  ["things", "float", "NaN"],
  ["things", "float", "-Infinity"],
  ["samples", "decimal", "NaN"],
  ["samples", "time", "24:00:00"],
  ["samples", "dates", "{2026-01-02,infinity}"],
  ["samples", "datetimes", "{infinity}"],
  ["samples", "decimals", "{1,NaN}"],
  ["samples", "floats", "{NaN}"],
  ["samples", "times", "{24:00:00}"],
];

const plural = (model: string) => model[0]?.toUpperCase() + model.slice(1);
const get = (path: string) => service.send({ method: "GET", path }, "admin");
const graphql = (query: string) =>
  service.send({ method: "POST", path: "/graphql", body: { query } }, "admin");

/** The message of the last failure in the log. */
const logged = () => JSON.stringify(service.log.findLast((line) => "err" in line)?.["err"]);

describe.each(odd)("%s.%s = %s is an error wherever it is read", (model, field, value) => {
  beforeAll(async () => {
    await service.store({ [model]: [{ id: 5 }] });
    await service.query(`update ${model} set "${field}" = '${value}' where id = 5`);
  });
  const isScalar = !field.endsWith("s");
  test.each([
    ["fetch", () => get(`/${model}/fetch`)],
    ["a page", () => get(`/${model}/fetch?page=1&order_by=id`)],
    ["fetch of the field", () => get(`/${model}/fetch?select_fields=${field}`)],
    ["GraphQL", () => graphql(`{ ${model} { odd: ${field} } }`)],
    [
      "a changed row",
      () =>
        graphql(
          `mutation { update${plural(model)}(where: { id: 5 }, input: ${model === "things" ? '{ text: "x" }' : '{ name: "x" }'}) { ${field} } }`,
        ),
    ],
    [
      "context.db",
      () =>
        sendWith(
          service,
          {
            before_fetch: async (_, { db }) => {
              await (model === "things" ? db.things.fetch() : db.samples.fetch());
            },
          },
          "admin",
          { method: "GET", path: "/hooked/fetch" },
        ),
    ],
  ] as const)("%s", async (_, read) => {
    expect(outcome(await read()), logged()).toBe("500 DATABASE_ERROR");
    expect(logged()).toContain(`${model}.${field} of the row with the id 5 holds`);
  });

  test.runIf(isScalar && field !== "time")("aggregates", async () => {
    const root = `${model}_aggregate`;
    expect(outcome(await graphql(`{ ${root} { max_${field} } }`))).toBe("500 DATABASE_ERROR");
    expect(logged()).toContain(`${model}.${field} holds`);
  });

  test("rows that are read without the field are answered", async () => {
    expect(outcome(await get(`/${model}/fetch?select_fields=id`))).toBe("200");
  });
});
