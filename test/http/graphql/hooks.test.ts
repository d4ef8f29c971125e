import { describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/index";
import {
  type GraphqlScenario,
  graphqlScenarios,
  performGraphql,
  sendGraphql,
} from "../../support/graphql.ts";
import { outcome } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { stage } from "../fixture/stage.ts";

const service = await testService();

const invalid = "400 VALIDATION_ERROR";
const given = {
  hooked: [
    { id: 1, name: "one", number: 1, code: "c" },
    { id: 2, name: "two", number: 2, code: "d" },
  ],
  ledger: [{ id: 1, hooked_name: "entry", hooked_id: 1 }],
};
const query = "{ hooked(id: 1) { name } }";
const fetching = ["before_graphql", "before_fetch", "after_fetch", "after_graphql"] as const;
const run = (scenario: GraphqlScenario): GraphqlScenario => ({ given, ...scenario });
const refusal = () => {
  throw new ServiceError("NOT_FOUND", "not today");
};

describe("what fires", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    run({ query, data: { hooked: [{ name: "one" }] }, hooks: fetching }),
    run({ query: '{ hooked(search: "one") { name } }', data: { hooked: [{ name: "one" }] },
        hooks: ["before_graphql", "before_search", "after_search", "after_graphql"] }),
    run({ name: "joins: none of the joined model", query: "{ hooked(id: 1) { entries { hooked { name } } } }",
        data: { hooked: [{ entries: [{ hooked: { name: "one" } }] }] }, hooks: fetching }),
    run({ name: "aggregates: none", query: "{ hooked_aggregate { count } }", data: { hooked_aggregate: [{ count: 2 }] },
        hooks: ["before_graphql", "after_graphql"] }),
    run({ query: "{ __typename }", hooks: ["before_graphql", "after_graphql"] }),
    run({ name: "models without hooks", query: "{ things { id } }", hooks: ["before_graphql", "after_graphql"] }),
    run({ name: "a mutation: its own, and no fetch", as: "admin",
        query: 'mutation { createHooked(input: { name: "new", code: "c" }) { name entries { id } } }',
        data: { createHooked: { name: "new", entries: [] } }, hooks: ["before_graphql", "before_create", "after_create", "after_graphql"] }),
    run({ name: "a refusal: after_graphql does not run", query: "{ hooked { nothing } }", fails: invalid, hooks: ["before_graphql"] }),
    run({ name: "nor after a malformed text", query: "{", fails: invalid, hooks: ["before_graphql"] }),
    run({ name: "nor after introspection", query: "{ __schema { types { name } } }", fails: "403 PERMISSION_DENIED", hooks: ["before_graphql"] }),
    run({ name: "nor where a list is refused", query: "{ hooked { id } tasks { id } }", fails: "403 PERMISSION_DENIED", hooks: ["before_graphql"] }),
  ]);

  test("none for a body that is no request", async () => {
    stage.fired = [];
    await service.send({ method: "POST", path: "/graphql", body: { query: 1 } });
    expect(stage.fired).toEqual([]);
  });

  test("each root field on its own", async () => {
    await performGraphql(service, run({ query: "{ a: hooked(id: 1) { id } b: hooked(id: 2) { id } }" }));
    const fired = stage.fired.map(({ hook }) => hook).sort();
    expect(fired).toEqual([
      "after_fetch",
      "after_fetch",
      "after_graphql",
      "before_fetch",
      "before_fetch",
      "before_graphql",
    ]);
  });
});

describe("before_graphql", () => {
  test("is given the text as it came, and the variables", async () => {
    const text = "# first\n{ hooked(id: 1) { name } }";
    await performGraphql(service, run({ query: text, variables: { a: [1] } }));
    expect(stage.fired[0]).toMatchObject({
      hook: "before_graphql",
      value: { query: text, variables: { a: [1] } },
    });
    expect(stage.fired[0]?.context).not.toHaveProperty("transaction");
  });

  test("knows the caller and the request", async () => {
    await performGraphql(service, {
      ...run({ query }),
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
    run({ name: "may give another text", query: "nonsense",
        plays: { before_graphql: (value) => ({ ...value, query: "{ hooked(id: 2) { name } }" }) }, data: { hooked: [{ name: "two" }] } }),
    run({ name: "may change it in place", query, plays: { before_graphql: (value) => { value.query = value.query.replace("id: 1", "id: 2"); } },
        data: { hooked: [{ name: "two" }] } }),
    run({ name: "may change the variables", query: "query ($id: Int) { hooked(id: $id) { name } }", variables: { id: 1 },
        plays: { before_graphql: async ({ query: text }) => ({ query: text, variables: { id: 2 } }) }, data: { hooked: [{ name: "two" }] } }),
    run({ name: "its text is checked like any other", query,
        plays: { before_graphql: (value) => ({ ...value, query: "{ __schema { types { name } } }" }) }, fails: "403 PERMISSION_DENIED" }),
    run({ name: "may refuse", query, plays: { before_graphql: refusal }, fails: "404 NOT_FOUND", hooks: ["before_graphql"] }),
    run({ name: "a bug in it is ours", query, plays: { before_graphql: () => { throw new TypeError("a secret"); } }, fails: "500 INTERNAL_ERROR" }),
  ]);
});

describe("after_graphql", () => {
  test("is given the envelope", async () => {
    await performGraphql(service, run({ query: "{ a: hooked(id: 1) { n: name } }" }));
    expect(stage.fired.at(-1)).toMatchObject({
      hook: "after_graphql",
      value: {
        statusCode: 200,
        status: "success",
        message: expect.stringContaining("GraphQL"),
        data: { a: [{ n: "one" }] },
      },
    });
  });

  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    run({ name: "may change data and message", query,
        plays: { after_graphql: (value) => ({ ...value, message: "changed", data: { other: 1 } }) }, data: { other: 1 } }),
    run({ name: "may refuse", query, plays: { after_graphql: refusal }, fails: "404 NOT_FOUND" }),
    run({ name: "what it makes of the value must be an answer still", query, plays: { after_graphql: () => JSON.parse('{ "data": [] }') },
        fails: "500 INTERNAL_ERROR" }),
    run({ name: "what it refuses of a mutation is written all the same", as: "admin",
        query: 'mutation { createHooked(input: { name: "new", code: "c" }) { id } }', plays: { after_graphql: refusal }, fails: "404 NOT_FOUND",
        rows: { hooked: [{}, {}, { name: "new" }] } }),
  ]);

  test("runs after the commit", async () => {
    const seen: unknown[] = [];
    await performGraphql(service, {
      ...run({ query: 'mutation { createHooked(input: { name: "new", code: "c" }) { id } }' }),
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
    run({ name: "an alias hides no field from after_fetch", query: "{ hooked(id: 1) { x: name y: name n: number name: code } }",
        plays: { after_fetch: (rows) => rows.map((row) => ({ ...row, name: "masked" })) },
        data: { hooked: [{ x: "masked", y: "masked", n: 1, name: "c" }] } }),
    run({ name: "nor does an alias of the root field", query: "{ things: hooked(id: 1) { id: name } }",
        plays: { after_fetch: (rows) => rows.map((row) => ({ ...row, name: "masked" })) }, data: { things: [{ id: "masked" }] } }),
    run({ name: "keys that are exchanged", query: "{ hooked(id: 1) { number: name name: number id: code } }",
        plays: { after_fetch: (rows) => rows.map((row) => ({ ...row, name: `${row.name}!` })) },
        data: { hooked: [{ number: "one!", name: 1, id: "c" }] } }),
    run({ name: "a field that after_fetch takes out is null", query: "{ hooked(id: 1) { id name } }",
        plays: { after_fetch: (rows) => rows.map(({ name: _, ...row }) => JSON.parse(JSON.stringify(row))) },
        data: { hooked: [{ id: 1, name: null }] } }),
    run({ name: "after_fetch may drop rows", query: "{ hooked { id } }", plays: { after_fetch: (rows) => rows.filter(({ id }) => id === 2) },
        data: { hooked: [{ id: 2 }] } }),
    run({ name: "and change them in place", query: "{ hooked(id: 1) { name } }",
        plays: { after_fetch: (rows) => { for (const row of rows) row.name = "changed"; } }, data: { hooked: [{ name: "changed" }] } }),
    run({ name: "joined rows keep their place", query: "{ hooked(id: 1) { e: entries { hooked_name } name __typename } }",
        plays: { after_fetch: (rows) => rows.map((row) => ({ ...row, name: "masked" })) },
        data: { hooked: [{ e: [{ hooked_name: "entry" }], name: "masked", __typename: "hooked" }] } }),
    run({ name: "before_fetch narrows the list", query: "{ hooked { id } }",
        plays: { before_fetch: (value) => ({ ...value, where: { number: 2 } }) }, data: { hooked: [{ id: 2 }] } }),
    run({ name: "and orders it", query: "{ hooked(limit: 1) { id } }",
        plays: { before_fetch: (value) => ({ ...value, order_by: "number", order: "DESC" }) }, data: { hooked: [{ id: 2 }] } }),
    run({ name: "one list refused: all are", query: "{ things { id } hooked { id } }", plays: { after_fetch: refusal }, fails: "404 NOT_FOUND",
        hooks: ["before_graphql", "before_fetch", "after_fetch"] }),
  ]);

  test("of several that are refused the first in the document speaks, however late", async () => {
    let second: () => void = () => {};
    const secondWasRefused = new Promise<void>((resolve) => {
      second = resolve;
    });
    await performGraphql(service, {
      ...run({ query: "{ a: hooked(id: 1) { id } b: hooked(id: 2) { id } }" }),
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
    const scenario = run({ query: text, variables: { f: { in: [1, 2] } } });
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
