import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/index";
import { tree } from "../support/graphql-library.ts";
import { limited } from "../support/limited-service.ts";
import { expectDescribed } from "../support/openapi.ts";
import type { Sent } from "../support/request.ts";
import { testService } from "../support/service.ts";
import type { Caller } from "../support/service-token.ts";
import { stage } from "./fixture/stage.ts";

const service = await testService();
const counting = await testService(limited({ rateLimit: { defaultMaxRequests: 1 } }));

beforeEach(() => service.store({ ...tree, hooked: [{ id: 1, name: "one", number: 1, code: "c" }] }));
afterEach(() => {
  Object.assign(stage, { hooks: {}, fired: [] });
});

interface Asked extends Partial<Sent> {
  readonly as?: Caller;
  readonly status: number;
}

/** The envelope and the form of GraphQL over HTTP are both described. */
async function expectBoth({ as = null, status, headers, ...sent }: Asked, from = service): Promise<void> {
  for (const accept of ["application/json", "application/graphql-response+json"]) {
    const request = { method: "POST", path: "/graphql", ...sent, headers: { ...headers, accept } };
    const reply = await from.send(request, as);
    expect(reply.status, reply.text).toBe(status);
    expect(reply.headers["content-type"]).toBe(`${accept}; charset=utf-8`);
    expectDescribed("POST", "/graphql", reply);
  }
}

const body = (query: string, more = {}) => ({ body: { query, ...more } });

describe("answers of GraphQL are as described", () => {
  test.each<[string, Asked]>([
    ["rows", { status: 200, ...body("{ folders(id: 1) { name } }") }],
    [
      "variables",
      {
        status: 200,
        ...body("query Q($id: BigInt) { folders(id: $id) { id } }", {
          variables: { id: 1 },
          operationName: "Q",
          extensions: 1,
        }),
      },
    ],
    ["nulls", { status: 200, ...body("{ __typename }", { variables: null, operationName: null }) }],
    [
      "a mutation",
      {
        status: 200,
        as: "admin",
        ...body('mutation { updateHooked(where: { id: 1 }, input: { name: "new" }) { id } }'),
      },
    ],
    ["no query", { status: 400, body: {} }],
    ["an unknown key", { status: 400, ...body("{ __typename }", { id: 1 }) }],
    ["a document that ends early", { status: 400, ...body("{ folders { name }") }],
    ["an unknown field", { status: 400, ...body("{ folders { nothing } }") }],
    ["no JSON", { status: 400, body: "{", headers: { "content-type": "application/json" } }],
    ["a bad token", { status: 401, ...body("{ __typename }"), headers: { authorization: "Bearer x" } }],
    ["introspection", { status: 403, ...body("{ __schema { types { name } } }") }],
    ["an unknown model", { status: 404, ...body("{ unknown_model { id } }") }],
    ["a large body", { status: 413, ...body(`{ folders(name: "${"x".repeat(100_000)}") { id } }`) }],
    ["a text", { status: 415, body: "{ folders { id } }", headers: { "content-type": "text/plain" } }],
  ])("%s", (_, asked) => expectBoth(asked));

  test("an error that a hook throws", async () => {
    stage.hooks = {
      before_graphql: () => {
        throw new ServiceError("NOT_FOUND", "not today", { field: "x" });
      },
    };
    await expectBoth({ status: 404, ...body("{ __typename }") });
  });

  test("a bug in a hook", async () => {
    stage.hooks = {
      after_graphql: () => {
        throw new Error("a bug");
      },
    };
    await expectBoth({ status: 500, ...body("{ __typename }") });
  });

  test("a rate limit", async () => {
    const asked = body("{ a: folders { id } b: folders { id } }");
    await expectBoth({ status: 429, ...asked }, counting);
  });
});
