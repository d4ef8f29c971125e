import { describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/index";
import { dataOf, type GraphqlScenario, graphqlScenarios, performGraphql } from "../../support/graphql.ts";
import { perform, type Scenario } from "../../support/scenarios.ts";
import { record, rows, run } from "../../support/scenarios-hooked.ts";
import { testService } from "../../support/service.ts";
import { stage } from "../fixture/stage.ts";

const service = await testService();

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

/** The hooks of the model that fired with their values, without what each run makes anew. */
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
    asking(`createHooked(input: ${input}) { entries { hooked_name } name }`, {
      name: "joins are fetched",
      plays: {
        after_create: async (value, { transaction }) => {
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
