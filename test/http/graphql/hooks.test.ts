import { describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/index";
import {
  dataOf,
  type GraphqlScenario,
  graphqlScenarios,
  performGraphql,
  sendGraphql,
} from "../../support/graphql.ts";
import { outcome, perform, type Scenario } from "../../support/scenarios.ts";
import { record, rows, run } from "../../support/scenarios-hooked.ts";
import { testService } from "../../support/service.ts";
import { stage } from "../fixture/stage.ts";

const service = await testService();

const invalid = "400 VALIDATION_ERROR";
// biome-ignore format: several rows a line
const given = {
  hooked: [{ id: 1, name: "one", number: 1, code: "c" }, { id: 2, name: "two", number: 2, code: "d" }],
  ledger: [{ id: 1, hooked_name: "entry", hooked_id: 1 }],
};
const query = "{ hooked(id: 1) { name } }";
const fetching = ["before_graphql", "before_fetch", "after_fetch", "after_graphql"] as const;
const asked = (scenario: GraphqlScenario): GraphqlScenario => ({ given, ...scenario });
const refusal = () => {
  throw new ServiceError("NOT_FOUND", "not today");
};

describe("what fires", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    asked({ query, data: { hooked: [{ name: "one" }] }, hooks: fetching }),
    asked({ query: '{ hooked(search: "one") { name } }', data: { hooked: [{ name: "one" }] },
        hooks: ["before_graphql", "before_search", "after_search", "after_graphql"] }),
    asked({ name: "joins: none of the joined model", query: "{ hooked(id: 1) { entries { hooked { name } } } }",
        data: { hooked: [{ entries: [{ hooked: { name: "one" } }] }] }, hooks: fetching }),
    asked({ name: "aggregates: none", query: "{ hooked_aggregate { count } }", data: { hooked_aggregate: [{ count: 2 }] },
        hooks: ["before_graphql", "after_graphql"] }),
    asked({ query: "{ __typename }", hooks: ["before_graphql", "after_graphql"] }),
    asked({ name: "models without hooks", query: "{ things { id } }", hooks: ["before_graphql", "after_graphql"] }),
    asked({ name: "a mutation: its own, and no fetch", as: "admin",
        query: 'mutation { createHooked(input: { name: "new", code: "c" }) { name entries { id } } }',
        data: { createHooked: { name: "new", entries: [] } }, hooks: ["before_graphql", "before_create", "after_create", "after_graphql"] }),
    asked({ name: "a refusal: after_graphql does not run", query: "{ hooked { nothing } }", fails: invalid, hooks: ["before_graphql"] }),
    asked({ name: "nor after a malformed text", query: "{", fails: invalid, hooks: ["before_graphql"] }),
    asked({ name: "nor after introspection", query: "{ __schema { types { name } } }", fails: "403 PERMISSION_DENIED", hooks: ["before_graphql"] }),
    asked({ name: "nor where a list is refused", query: "{ hooked { id } tasks { id } }", fails: "403 PERMISSION_DENIED", hooks: ["before_graphql"] }),
  ]);

  test("none for a body that is no request", async () => {
    stage.fired = [];
    await service.send({ method: "POST", path: "/graphql", body: { query: 1 } });
    expect(stage.fired).toEqual([]);
  });

  test("each root field on its own", async () => {
    await performGraphql(service, asked({ query: "{ a: hooked(id: 1) { id } b: hooked(id: 2) { id } }" }));
    const fired = stage.fired.map(({ hook }) => hook).sort();
    // biome-ignore format: many a line
    expect(fired).toEqual([
      "after_fetch", "after_fetch", "after_graphql", "before_fetch", "before_fetch", "before_graphql",
    ]);
  });
});

describe("before_graphql", () => {
  test("is given the text as it came, and the variables", async () => {
    const text = "# first\n{ hooked(id: 1) { name } }";
    await performGraphql(service, asked({ query: text, variables: { a: [1] } }));
    expect(stage.fired[0]).toMatchObject({
      hook: "before_graphql",
      value: { query: text, variables: { a: [1] } },
    });
    expect(stage.fired[0]?.context).not.toHaveProperty("transaction");
  });

  test("knows the caller and the request", async () => {
    await performGraphql(service, {
      ...asked({ query }),
      as: { role: "user", sub: "42", email: "a@example.org" },
      headers: { "x-request-id": "mine" },
    });
    expect(stage.fired[0]?.context).toMatchObject({
      principal: { user_id: "42", role: "user", email: "a@example.org" },
      request_id: "mine",
    });
  });

  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    asked({ name: "may give another text", query: "nonsense",
        plays: { before_graphql: (value) => ({ ...value, query: "{ hooked(id: 2) { name } }" }) }, data: { hooked: [{ name: "two" }] } }),
    asked({ name: "may change it in place", query, plays: { before_graphql: (value) => { value.query = value.query.replace("id: 1", "id: 2"); } },
        data: { hooked: [{ name: "two" }] } }),
    asked({ name: "may change the variables", query: "query ($id: Int) { hooked(id: $id) { name } }", variables: { id: 1 },
        plays: { before_graphql: async ({ query: text }) => ({ query: text, variables: { id: 2 } }) }, data: { hooked: [{ name: "two" }] } }),
    asked({ name: "its text is checked like any other", query,
        plays: { before_graphql: (value) => ({ ...value, query: "{ __schema { types { name } } }" }) }, fails: "403 PERMISSION_DENIED" }),
    asked({ name: "may refuse", query, plays: { before_graphql: refusal }, fails: "404 NOT_FOUND", hooks: ["before_graphql"] }),
    asked({ name: "a bug in it is ours", query, plays: { before_graphql: () => { throw new TypeError("a secret"); } }, fails: "500 INTERNAL_ERROR" }),
  ]);
});

describe("after_graphql", () => {
  test("is given the envelope", async () => {
    await performGraphql(service, asked({ query: "{ a: hooked(id: 1) { n: name } }" }));
    // biome-ignore format: related values together
    expect(stage.fired.at(-1)).toMatchObject({
      hook: "after_graphql",
      value: { statusCode: 200, status: "success", message: expect.stringContaining("GraphQL"), data: { a: [{ n: "one" }] } },
    });
  });

  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    asked({ name: "may change data and message", query,
        plays: { after_graphql: (value) => ({ ...value, message: "changed", data: { other: 1 } }) }, data: { other: 1 } }),
    asked({ name: "may refuse", query, plays: { after_graphql: refusal }, fails: "404 NOT_FOUND" }),
    asked({ name: "what it makes of the value must be an answer still", query, plays: { after_graphql: () => JSON.parse('{ "data": [] }') },
        fails: "500 INTERNAL_ERROR" }),
    asked({ name: "what it refuses of a mutation is written all the same", as: "admin",
        query: 'mutation { createHooked(input: { name: "new", code: "c" }) { id } }', plays: { after_graphql: refusal }, fails: "404 NOT_FOUND",
        rows: { hooked: [{}, {}, { name: "new" }] } }),
  ]);

  test("runs after the commit", async () => {
    const seen: unknown[] = [];
    await performGraphql(service, {
      ...asked({ query: 'mutation { createHooked(input: { name: "new", code: "c" }) { id } }' }),
      as: "admin",
      plays: {
        after_create: async () => {
          seen.push(await service.query("SELECT count(*)::int AS count FROM hooked"));
        },
        after_graphql: async () => {
          seen.push(await service.query("SELECT count(*)::int AS count FROM hooked"));
        },
      },
    });
    expect(seen).toEqual([[{ count: 2 }], [{ count: 3 }]]);
  });
});

describe("fetch hooks of a plain query", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    asked({ name: "an alias hides no field from after_fetch", query: "{ hooked(id: 1) { x: name y: name n: number name: code } }",
        plays: { after_fetch: (rows) => rows.map((row) => ({ ...row, name: "masked" })) },
        data: { hooked: [{ x: "masked", y: "masked", n: 1, name: "c" }] } }),
    asked({ name: "nor does an alias of the root field", query: "{ things: hooked(id: 1) { id: name } }",
        plays: { after_fetch: (rows) => rows.map((row) => ({ ...row, name: "masked" })) }, data: { things: [{ id: "masked" }] } }),
    asked({ name: "keys that are exchanged", query: "{ hooked(id: 1) { number: name name: number id: code } }",
        plays: { after_fetch: (rows) => rows.map((row) => ({ ...row, name: `${row.name}!` })) },
        data: { hooked: [{ number: "one!", name: 1, id: "c" }] } }),
    asked({ name: "a field that after_fetch takes out is null", query: "{ hooked(id: 1) { id name } }",
        plays: { after_fetch: (rows) => rows.map(({ name: _, ...row }) => JSON.parse(JSON.stringify(row))) },
        data: { hooked: [{ id: 1, name: null }] } }),
    asked({ name: "after_fetch may drop rows", query: "{ hooked { id } }", plays: { after_fetch: (rows) => rows.filter(({ id }) => id === 2) },
        data: { hooked: [{ id: 2 }] } }),
    asked({ name: "and change them in place", query: "{ hooked(id: 1) { name } }",
        plays: { after_fetch: (rows) => { for (const row of rows) row.name = "changed"; } }, data: { hooked: [{ name: "changed" }] } }),
    asked({ name: "joined rows keep their place", query: "{ hooked(id: 1) { e: entries { hooked_name } name __typename } }",
        plays: { after_fetch: (rows) => rows.map((row) => ({ ...row, name: "masked" })) },
        data: { hooked: [{ e: [{ hooked_name: "entry" }], name: "masked", __typename: "hooked" }] } }),
    asked({ name: "before_fetch narrows the list", query: "{ hooked { id } }",
        plays: { before_fetch: (value) => ({ ...value, where: { number: 2 } }) }, data: { hooked: [{ id: 2 }] } }),
    asked({ name: "and orders it", query: "{ hooked(limit: 1) { id } }",
        plays: { before_fetch: (value) => ({ ...value, order_by: "number", order: "DESC" }) }, data: { hooked: [{ id: 2 }] } }),
    asked({ name: "one list refused: all are", query: "{ things { id } hooked { id } }", plays: { after_fetch: refusal }, fails: "404 NOT_FOUND",
        hooks: ["before_graphql", "before_fetch", "after_fetch"] }),
  ]);

  test("of several that are refused the first in the document speaks, however late", async () => {
    let second: () => void = () => {};
    const secondWasRefused = new Promise<void>((resolve) => {
      second = resolve;
    });
    await performGraphql(service, {
      ...asked({ query: "{ a: hooked(id: 1) { id } b: hooked(id: 2) { id } }" }),
      plays: {
        after_fetch: async ([row]) => {
          if (row?.id === 2) second();
          else await secondWasRefused;
          throw new ServiceError(row?.id === 1 ? "NOT_FOUND" : "ACCOUNT_INACTIVE");
        },
      },
      fails: "404 NOT_FOUND",
    });
  });

  test("what a hook changes in a filter stays with its request", async () => {
    const text = "query ($f: IntFilter) { hooked(number: $f) { id } }";
    const scenario = asked({ query: text, variables: { f: { in: [1, 2] } } });
    const spoil = (value: object) => {
      if ("where" in value && typeof value.where === "object" && value.where !== null)
        for (const list of Object.values(value.where)) if (Array.isArray(list)) list.pop();
    };
    const first = await performGraphql(service, { ...scenario, plays: { before_fetch: spoil } });
    expect(first.envelope.data).toEqual({ hooked: [{ id: 1 }] });
    stage.hooks = {};
    const second = await sendGraphql(service, text, null, { f: { in: [1, 2] } });
    expect(second.envelope.data).toEqual({ hooked: [{ id: 1 }, { id: 2 }] });
    const literal = "{ hooked(number: { in: [1, 2] }) { id } }";
    stage.hooks = { before_fetch: spoil };
    expect((await sendGraphql(service, literal)).envelope.data).toEqual({ hooked: [{ id: 1 }] });
    stage.hooks = {};
    expect((await sendGraphql(service, literal)).envelope.data).toEqual({ hooked: [{ id: 1 }, { id: 2 }] });
  });

  test("a bug in a hook tells nothing", async () => {
    await service.store(given);
    stage.hooks = {
      after_fetch: () => {
        throw new Error("a secret of the hook");
      },
    };
    const reply = await sendGraphql(service, query);
    stage.hooks = {};
    expect(outcome(reply)).toBe("500 INTERNAL_ERROR");
    expect(reply.text).not.toContain("secret");
  });
});

const input = '{ name: "new", number: 5, code: "c" }';

/** A request of an admin to the rows of `hooked`. */
const asking = (body: string, more: Partial<GraphqlScenario> = {}): GraphqlScenario => ({
  given: { hooked: rows },
  as: "admin",
  query: `mutation { ${body} }`,
  ...more,
});

/** Each mutation over REST and over GraphQL. */
const operations = {
  create: [run("POST create", { data: record }), `createHooked(input: ${input}) { id name }`],
  update: [
    run("PUT update", { where: { number__gt: 0, name__in: ["one", "two"] }, data: { number: 7 } }),
    'updateHooked(where: { number: { gt: 0 }, name: { in: ["one", "two"] } }, input: { number: 7 }) { id }',
  ],
  upsert: [
    run("PUT upsert", { data: { ...record, name: "one" } }),
    'upsertHooked(input: { name: "one", number: 5, code: "c" }) { id }',
  ],
  delete: [
    run("DELETE delete", { query: { name__like: "o%", number__lt: 9 } }),
    'deleteHooked(where: { name: { like: "o%" }, number: { lt: 9 } }) { id }',
  ],
  destroy: [run("DELETE destroy", { ids: [3, 1] }), "destroyHooked(ids: [3, 1]) { name }"],
  restore: [
    run("PATCH restore", { where: { name: "gone" }, data: { number: 3 } }),
    'restoreHooked(where: { name: "gone" }, input: { number: 3 }) { id }',
  ],
} as const satisfies Record<string, readonly [Scenario, string]>;
type Verb = keyof typeof operations;
const verbs = Object.keys(operations).filter((verb): verb is Verb => verb in operations);

/** The model's hooks that fired, with their values, without those that differ in each run. */
function fired(): unknown {
  const volatile = (key: string, value: unknown) =>
    key.endsWith("_at") || (key === "id" && Number(value) >= 1000) ? undefined : value;
  const ofModel = stage.fired.filter(({ hook }) => !hook.endsWith("_graphql"));
  return JSON.parse(
    JSON.stringify(
      ofModel.map(({ hook, value }) => ({ hook, value })),
      volatile,
    ),
  );
}

describe("hooks fire as over REST, with the same values", () => {
  test.each(verbs)("%s", async (verb) => {
    const [rest, body] = operations[verb];
    await perform(service, rest);
    const overRest = fired();
    await performGraphql(service, asking(body));
    expect(fired()).toEqual(overRest);
    expect(overRest).toMatchObject([{ hook: `before_${verb}` }, { hook: `after_${verb}` }]);
  });

  test("they know who asks, and share the transaction", async () => {
    await performGraphql(
      service,
      asking('createHooked(input: { name: "new", code: "c" }) { number }', {
        plays: {
          after_create: async (_, { transaction }) => {
            await transaction("hooked").where({ name: "new" }).update({ number: 77 });
          },
        },
        data: { createHooked: { number: 77 } },
      }),
    );
    const { context } = stage.fired.find(({ hook }) => hook === "after_create") ?? {};
    expect(context).toMatchObject({ principal: { role: "admin" }, request_id: expect.any(String) });
  });
});

describe("before-hooks change what is done", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    asking('createHooked(input: { name: "new" }) { name code guarded }',
      { name: "what is required may be filled in, and fields be set that the caller may not",
        plays: { before_create: (value) => ({ ...value, code: "filled", guarded: "g" }) },
        data: { createHooked: { name: "new", code: "filled", guarded: "g" } } }),
    asking("updateHooked(where: { id: 1 }, input: { number: 7 }) { id number }",
      { plays: { before_update: ({ data }) => ({ where: { id: 2 }, data }) }, data: { updateHooked: [{ id: 2, number: 7 }] } }),
    asking("destroyHooked(ids: [1]) { name }",
      { name: "filters in place of ids", plays: { before_destroy: () => ({ where: { name__in: ["one", "two"], code: "c" } }) },
        data: { destroyHooked: [{ name: "one" }, { name: "two" }] } }),
    asking("createHooked(input: { number: true }) { id }",
      { name: "types are checked before", fails: "400 VALIDATION_ERROR number", hooks: ["before_graphql"] }),
    asking('createHooked(input: { name: "new" }) { id }',
      { name: "and everything after", fails: "400 VALIDATION_ERROR code", hooks: ["before_graphql", "before_create"], rows: { hooked: rows } }),
  ]);
});

describe("what an after-hook changed in its value wins over what is fetched", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    asking(`createHooked(input: ${input}) { name shown: code number }`,
      { name: "a field that is masked, aliased too", plays: { after_create: (value) => { Object.assign(value, { code: "***" }); } },
        data: { createHooked: { name: "new", shown: "***", number: 5 } } }),
    asking(`createHooked(input: ${input}) { name code }`,
      { name: "a field that is taken out", plays: { after_create: () => ({ name: "new" }) }, data: { createHooked: { name: "new", code: null } } }),
    asking(`createHooked(input: ${input}) { a: code b: code __typename }`,
      { name: "a field that is selected twice", plays: { after_create: (value) => ({ ...value, code: "***" }) },
        data: { createHooked: { a: "***", b: "***", __typename: "hooked" } } }),
    asking('upsertHooked(input: { name: "one", code: "d" }) { id code number }',
      { name: "of an upsert", plays: { after_upsert: (value) => ({ ...value, code: "***" }) },
        data: { upsertHooked: { id: 1, code: "***", number: 1 } } }),
    asking('upsertHooked(input: { name: "one", code: "d" })',
      { name: "without a selection", plays: { after_upsert: () => ({ id: 99 }) }, data: { upsertHooked: { id: 99 } } }),
    asking(`createHooked(input: ${input}) { entries { hooked_name } name }`, { name: "joins are fetched",
      plays: { after_create: async (value, { transaction }) => {
          await transaction("ledger").insert({ hooked_id: "id" in value ? value.id : null,
            hooked_name: "x",
          });
        },
      },
      data: { createHooked: { entries: [{ hooked_name: "x" }], name: "new" } },
    }),
    asking(`createHooked(input: ${input}) { name }`,
      { name: "a row that it removes is null",
        plays: { after_create: async (_, { transaction }) => { await transaction("hooked").where({ name: "new" }).delete(); } },
        data: { createHooked: null } }),
    asking("updateHooked(where: { id: 1 }, input: { number: 7 }) { id number }",
      { name: "the report that REST answers is no row", plays: { after_update: () => ({ updated_count: 0, updated_ids: [] }) },
        data: { updateHooked: [{ id: 1, number: 7 }] } }),
  ]);
});

describe("a throw is the answer, and nothing is written", () => {
  const throwing = (error: unknown) => (): never => {
    throw error;
  };
  graphqlScenarios(
    service,
    verbs.flatMap((verb) =>
      (["before", "after"] as const).flatMap((when) => [
        asking(operations[verb][1], {
          name: `${when}_${verb}`,
          plays: { [`${when}_${verb}`]: throwing(new ServiceError("ACCOUNT_INACTIVE", "No.")) },
          fails: "403 ACCOUNT_INACTIVE",
          rows: { hooked: rows },
        }),
        asking(operations[verb][1], {
          name: `${when}_${verb}, any error`,
          plays: { [`${when}_${verb}`]: throwing(new Error("secret reason")) },
          fails: "500 INTERNAL_ERROR",
          rows: { hooked: rows },
        }),
      ]),
    ),
  );
});

test("what a hook changes in place in one request is not seen by the next", async () => {
  const query = '{ hooked(name: { in: ["one"] }) { name } }';
  await service.store({ hooked: rows });
  stage.hooks = {
    before_fetch: ({ where }) => {
      if (Array.isArray(where.name__in)) where.name__in.push("two");
    },
  };
  expect(await dataOf(service, query, "admin")).toEqual({ hooked: [{ name: "one" }, { name: "two" }] });
  stage.hooks = {};
  expect(await dataOf(service, query, "admin")).toEqual({ hooked: [{ name: "one" }] });
});
