import { afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ModelRoutes } from "#runtime/api/rest/index";
import { defineRoute } from "#runtime/index";
import { inMutation, sendWith, unknown } from "../support/code-in-hooks.ts";
import { outcome, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import { service as fixture } from "./fixture/generated/index.ts";

type Play = (value: unknown) => unknown;

/** What the hooks of `things` and `books` do in the test at hand. */
let plays: Readonly<Record<string, Play>> = {};

const hooks = Object.fromEntries(
  ["before_create", "after_create", "after_fetch"].map((name) => [
    name,
    (value: unknown) => plays[name]?.(value),
  ]),
);

const hooked = (entry: ModelRoutes): ModelRoutes =>
  ["things", "books"].includes(entry.model.key) ? { ...entry, hooks: { ...entry.hooks, ...hooks } } : entry;

let received: unknown;
const echo = defineRoute({
  method: "POST",
  path: "/echo",
  access: ["*"],
  body: { type: "object", additionalProperties: true },
  answer: true,
  handler: ({ body }) => {
    received = body;
    return body;
  },
});

const served = { ...fixture, models: fixture.models.map(hooked), routes: [...(fixture.routes ?? []), echo] };
const service = await testService({}, { served });

afterEach(() => {
  plays = {};
});

const long = "750727362669608961";
const headers = { "content-type": "application/json" };
const post = (path: string, body: string, method = "POST") =>
  service.send({ method, path, body, headers }, "admin");
const get = (path: string) => service.send({ method: "GET", path }, "admin");
const graphql = (query: string, variables = "{}") =>
  post("/graphql", `{"query":${JSON.stringify(query)},"variables":${variables}}`);

/** Whole numbers as they are sent, and as PostgreSQL prints them. */
const numbers: readonly (readonly [sent: string, stored: string])[] = [
  [long, long],
  [`-${long}`, `-${long}`],
  ["9007199254740992", "9007199254740992"],
  ["9007199254740993", "9007199254740993"],
  ["12345678901234567890.0", "12345678901234567890"],
  ["1.2345678901234567891e19", "12345678901234567891"],
  ["1E20", "100000000000000000000"],
];

const compact = (json: string) => json.replaceAll(/: |, /g, (found) => found.trim());
const nested = (number: string) => `{"a": [${number}, {"id": ${number}}], "text": "x ${long}"}`;

describe("json fields hold each digit", () => {
  const ways: Readonly<Record<string, (value: string) => Promise<{ status: number; text: string }>>> = {
    create: (value) => post("/things/create", `{"data":{"json":${value}}}`),
    "create of a list": (value) => post("/things/create", `{"data":[{"json":${value}}]}`),
    update: async (value) => {
      await service.store({ things: [{ id: 1 }] });
      return post("/things/update", `{"where":{"id":1},"data":{"json":${value}}}`, "PUT");
    },
    "update of a list": async (value) => {
      await service.store({ things: [{ id: 1 }] });
      return post("/things/update", `{"data":[{"id":1,"json":${value}}]}`, "PUT");
    },
    upsert: async (value) => {
      await service.store({ things: [{ id: 1 }] });
      return post("/things/upsert", `{"data":{"id":1,"json":${value}}}`, "PUT");
    },
  };
  for (const [way, send] of Object.entries(ways))
    test.each(numbers)(`${way}: %s`, async (sent, stored) => {
      await service.store({});
      const { status, text } = await send(nested(sent));
      expect(status, text).toBe(200);
      const rows = await service.query("select json::text as json from things");
      expect(rows).toEqual([{ json: nested(stored) }]);
      const answer = await get("/things/fetch");
      expect(answer.text).toContain(compact(nested(stored)));
    });

  const document = (number: string) => `{ a: [${number}, { id: ${number} }], text: "x ${long}" }`;
  test.each(numbers)("GraphQL: %s", async (sent, stored) => {
    const query = "mutation ($v: JSON) { createThings(input: { json: $v }) { json } }";
    // biome-ignore format: one case a line
    const answers = [
      await graphql(`mutation { createThings(input: { json: ${document(sent)} }) { json } }`),
      await graphql(query, `{"v":${nested(sent)}}`),
      await graphql("mutation ($v: ThingsCreate) { createThings(input: $v) { json } }", `{"v":{"json":${nested(sent)}}}`),
      await graphql(`mutation ($v: JSON = ${document(sent)}) { createThings(input: { json: $v }) { json } }`),
    ];
    for (const { text } of answers) expect(text).toContain(`{"json":${compact(nested(stored))}}`);
  });

  test("a number out of a double's range is refused", async () => {
    for (const number of ["1e400", `1${"0".repeat(400)}`]) {
      const { envelope } = await post("/things/create", `{"data":{"json":[${number}]}}`);
      expect(envelope).toMatchObject({ statusCode: 400, details: { field: "json" } });
    }
  });
});

describe("fields of numbers hold them exactly, or refuse them", () => {
  const creating = (model: string, field: string, number: string, outcome: object) => ({
    name: `${model} ${field} ${number}`,
    send: `POST /${model}/create`,
    as: "admin",
    headers,
    body: `{"data":{"${field}":${number}}}`,
    ...outcome,
  });
  const is = (field: string, value: unknown) => ({ data: expect.objectContaining({ [field]: value }) });
  const refused = (field: string) => ({ fails: `400 VALIDATION_ERROR ${field}` });
  // biome-ignore format: one case a line
  scenarios(service, [
    creating("samples", "bigint", long, is("bigint", long)),
    creating("samples", "bigint", "9007199254740992", is("bigint", "9007199254740992")),
    creating("samples", "bigint", "1e18", refused("bigint")),
    creating("samples", "bigint", "1000000000000000000.0", is("bigint", "1000000000000000000")),
    creating("samples", "bigint", "9223372036854775808", refused("bigint")),
    creating("samples", "bigints", `[1, ${long}]`, is("bigints", ["1", long])),
    creating("samples", "wide", "1e20", is("wide", `1${"0".repeat(20)}.${"0".repeat(30)}`)),
    creating("samples", "wide", "12345678901234567890", refused("wide")),
    creating("samples", "integers", `[${long}]`, refused("integers")),
    creating("samples", "floats", "[1e20, 1.5, 9007199254740994]", is("floats", [1e20, 1.5, 9007199254740994])),
    creating("samples", "floats", `[${long}]`, refused("floats")),
    creating("things", "integer", long, refused("integer")),
    creating("things", "float", long, refused("float")),
    creating("things", "float", "9007199254740993", refused("float")),
    creating("things", "float", "1.5e300", is("float", 1.5e300)),
    creating("things", "float", "1152921504606846976", is("float", 2 ** 60)),
    creating("things", "float", "1152921504606847000", is("float", 2 ** 60)),
    creating("things", "owner_id", long, refused("owner_id")),
    creating("things", "string", long, refused("string")),
  ]);
});

describe("filters and ids compare each digit", () => {
  const [one, other] = [long, "750727362669608962"];
  // biome-ignore format: several rows a line
  const given = {
    owners: [],
    samples: [{ id: 1, bigint: one }, { id: 2, bigint: other }],
    things: [{ id: one }, { id: other }],
  };
  const updated = async (model: string, where: string, data: string) => {
    await service.store(given);
    const { envelope, text } = await post(`/${model}/update`, `{"where":${where},"data":${data}}`, "PUT");
    return envelope.statusCode === 200 ? /"updated_ids":(\[.*?\])/.exec(text)?.[1] : envelope.details;
  };
  test.each([
    ["samples", `{"bigint":${one}}`, "[1]"],
    ["samples", `{"bigint__in":[${other}]}`, "[2]"],
    ["samples", `{"bigint__gt":${one}.0}`, "[2]"],
    ["things", `{"id":${one}}`, `[${one}]`],
    ["things", `{"id__in":[${one},${other}]}`, `[${one},${other}]`],
  ])("%s %s", async (model, where, ids) => {
    expect(await updated(model, where, model === "samples" ? '{"name":"x"}' : '{"string":"x"}')).toBe(ids);
  });
  test.each([
    ["things", `{"float":${one}}`, "float"],
    ["things", `{"string":${one}}`, "string"],
    ["things", `{"integer":${one}}`, "integer"],
  ])("refused: %s %s", async (model, where, field) => {
    expect(await updated(model, where, '{"string":"x"}')).toEqual({ field });
  });

  test("query strings, and lists in them", async () => {
    await service.store(given);
    const found = async (query: string) => (await get(`/things/fetch?${query}&select_fields=id`)).text;
    expect(await found(`id__in=[${one}]`)).toContain(`[{"id":${one}}]`);
    expect(await found(`id__in=${one},5`)).toContain(`[{"id":${one}}]`);
    expect(JSON.parse(await found(`id__in=["\\u00005",${one}]`))).toMatchObject({
      details: { field: "id__in" },
    });
    expect(JSON.parse(await found(`float=${one}`))).toMatchObject({ details: { field: "float" } });
    expect(JSON.parse(await found("float=1e300"))).toMatchObject({ data: [] });
  });

  test("ids of a removal", async () => {
    await service.store(given);
    const { text } = await post("/things/delete", `{"ids":[${one}]}`, "DELETE");
    expect(text).toContain(`"deleted_ids":[${one}]`);
    expect(await service.query("select id::text as id from things")).toEqual([{ id: other }]);
  });

  test("GraphQL", async () => {
    await service.store(given);
    expect((await graphql(`{ things(id: ${one}) { id } }`)).text).toContain(`[{"id":${one}}]`);
    for (const type of ["ID", "Int64"]) {
      const answer = await graphql(`query ($v: ${type}) { samples(bigint: $v) { id } }`, `{"v":${one}}`);
      if (type === "Int64") expect(answer.text).toContain('[{"id":1}]');
      const byId = await graphql("query ($v: ID) { things(id: $v) { id } }", `{"v":${one}}`);
      expect(byId.text).toContain(`[{"id":${one}}]`);
    }
    for (const [query, variables] of [
      [`{ things(float: ${one}) { id } }`],
      [`query ($v: Float) { things(float: $v) { id } }`, `{"v":${one}}`],
      [`{ things(string: ${one}) { id } }`],
    ] as const)
      expect((await graphql(query, variables)).status).toBe(400);
  });
});

describe("code is given BigInts, and what it hands on is answered with each digit", () => {
  const value = `{"id": ${long}, "items": [1, ${long}]}`;
  const held = { id: BigInt(long), items: [1, BigInt(long)] };

  test("hooks of writes and reads", async () => {
    await service.store({});
    const seen: unknown[] = [];
    const remember: Play = (given) => {
      seen.push(structuredClone(given));
      return given;
    };
    plays = { before_create: remember, after_create: remember, after_fetch: remember };
    const created = await post("/things/create", `{"data":{"json":${value}}}`);
    const fetched = await get("/things/fetch?select_fields=json");
    const asked = await graphql("{ things { json } }");
    for (const { status, text } of [created, fetched, asked]) {
      expect(status, text).toBe(200);
      expect(text).toContain(compact(value));
    }
    expect(seen).toMatchObject([{ json: held }, { json: held }, [{ json: held }], [{ json: held }]]);
    expect(await service.query("select json::text as json from things")).toEqual([{ json: value }]);
  });

  test("context.db", async () => {
    await service.store({ things: [{ id: 1, json: { old: true } }] });
    const { value: rows } = await inMutation(service, async ({ db }) => {
      const [copied] = await db.things.update({ where: { id: 1 }, data: { json: unknown(held) } });
      const { id } = await db.things.create({ json: copied?.json ?? null });
      return [copied, await db.things.get(id), ...(await db.things.fetch())];
    });
    expect(rows).toMatchObject(Array(4).fill({ json: held }));
  });

  test("a created row in GraphQL, which a hook changed", async () => {
    plays = { after_create: (given) => ({ ...Object(given), string: "of the hook" }) };
    const { text } = await graphql(`mutation { createThings(input: { json: [${long}] }) { string json } }`);
    expect(text).toContain(`{"string":"of the hook","json":[${long}]}`);
  });
});

describe("other routes give code doubles, and refuse what would be rounded", () => {
  const routes = [
    ["/echo", `{"a":{"ids":[1,${long}]}}`, "a.ids.1"],
    ["/echo", `{"a":9007199254740993}`, "a"],
    ["/echo", `{"a":12345678901234567890.0}`, "a"],
    ["/auth/login", `{"email":${long},"password":"x"}`, "email"],
  ] as const;
  test.each(routes)("%s %s", async (path, body, field) => {
    const { envelope } = await post(path, body);
    expect(envelope).toMatchObject({ statusCode: 400, error: "VALIDATION_ERROR", details: { field } });
  });

  test("whole numbers that doubles hold, and fractions", async () => {
    const { text } = await post(
      "/echo",
      '{"a":[9007199254740992,1e20,1152921504606847000,0.1234567890123456789]}',
    );
    expect(received).toEqual({ a: [2 ** 53, 1e20, 2 ** 60, 0.123_456_789_012_345_68] });
    expect(text).toContain(
      "[9007199254740992,100000000000000000000,1152921504606847000,0.12345678901234568]",
    );
  });
});

describe("values out of range", async () => {
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

  describe.each(odd)("%s.%s = %s is an error in every read", (model, field, value) => {
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
});
