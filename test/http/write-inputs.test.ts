import { describe, expect, test } from "vitest";
import { createServer } from "#runtime/index";
import type { Json } from "#vocabulary/json";
import { serveApplication } from "../support/application.ts";
import { requestOf } from "../support/request.ts";
import { type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import { silent } from "../support/silent-log.ts";
import { routes } from "./custom-routes/routes.ts";
import { service as fixture } from "./fixture/generated/index.ts";

const service = await testService();

describe("a filter in the query string of a write that takes a body is refused, not lost", () => {
  const given = {
    things: [
      { id: 1, integer: 1 },
      { id: 2, integer: 2 },
    ],
  };
  const unchanged = {
    things: [
      { id: 1, integer: 1 },
      { id: 2, integer: 2 },
    ],
  };
  const refused = (send: string, body: Scenario["body"]): Scenario => ({
    given,
    as: "admin",
    send,
    body,
    fails: "400 VALIDATION_ERROR id",
    rows: unchanged,
  });
  scenarios(service, [
    refused("POST /things/create?id=1", { data: { integer: 3 } }),
    refused("PUT /things/update?id=1", { where: { integer__gt: 0 }, data: { integer: 3 } }),
    refused("PUT /things/update?id=1", { data: [{ id: 1, integer: 3 }] }),
  ]);
});

describe("limits of a body", () => {
  const many = (entry: (n: number) => [string, number]) =>
    Object.fromEntries(Array.from({ length: 1_001 }, (_, n) => entry(n)));
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "keys of a record", as: "admin", send: "POST /things/create", body: { data: many((n) => [`k${n}`, 1]) },
      fails: "400 VALIDATION_ERROR data" },
    { name: "keys of a filter", as: "admin", send: "PUT /things/update", body: { where: many((n) => [`k${n}`, 1]), data: { integer: 1 } },
      fails: "400 VALIDATION_ERROR where" },
    { name: "passwords of a bulk, which take long to hash", as: "admin", send: "POST /things/create",
      body: { data: Array.from({ length: 65 }, () => ({ password: "correct horse" })) }, fails: "400 VALIDATION_ERROR data", rows: { things: [] } },
  ]);
});

describe("the id of a bulk update is of its JSON type", () => {
  scenarios(service, [
    {
      name: "a text is no number",
      given: { things: [{ id: 1, integer: 1 }] },
      as: "admin",
      send: "PUT /things/update",
      body: { data: [{ id: "1", integer: 2 }] },
      fails: "400 VALIDATION_ERROR",
      details: { failed_records: [{ index: 0, error: "VALIDATION_ERROR", field: "id" }] },
      rows: { things: [{ integer: 1 }] },
    },
  ]);
});

describe("a filter on an empty text finds the rows that hold it", () => {
  scenarios(service, [
    {
      name: "in a JSON filter",
      given: {
        things: [
          { id: 1, string: "" },
          { id: 2, string: "a" },
        ],
      },
      as: "admin",
      send: "DELETE /things/delete",
      body: { query: { string: "" } },
      data: { deleted_count: 1, deleted_ids: [1] },
    },
  ]);
});

describe("a role that may not read ids cannot name rows by them", () => {
  const given = { people: [{ id: 1, name: "a" }] };
  const refused = (send: string, body: Scenario["body"]): Scenario => ({
    given,
    as: "stranger",
    send,
    body,
    fails: "403 PERMISSION_DENIED id",
    rows: { people: [{ id: 1, name: "a", deleted_at: null }] },
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    refused("DELETE /people/delete", { ids: [1] }),
    refused("DELETE /people/delete", { ids: [77] }),
    refused("DELETE /people/delete", { query: { id: 1 } }),
    refused("DELETE /people/destroy", { ids: [1] }),
    { ...refused("PUT /people/update", { data: [{ id: 1, name: "b" }] }), fails: "400 VALIDATION_ERROR",
      details: { failed_records: [{ index: 0, error: "PERMISSION_DENIED", field: "id" }] } },
  ]);
});

describe("a number in json that no double holds is refused, not made null", () => {
  scenarios(service, [
    {
      as: "admin",
      send: "POST /things/create",
      headers: { "content-type": "application/json" },
      body: Buffer.from('{"data":{"json":{"a":[1e999]}}}'),
      fails: "400 VALIDATION_ERROR json",
      rows: { things: [] },
    },
  ]);
});

const noOr =
  "is not a field, and filters have no OR: field__in matches one of several values; for other cases, send several requests";
const sideBySide =
  "is not a field; a record must match all filters of a request: list the filters without it";

// biome-ignore format: one case a line
const told: readonly (readonly [send: string, body: Json | undefined, field: string, message: string])[] = [
  // A record without `data`.
  ["POST /things/create", { string: "a" }, "string", 'belongs in data: {"data": {"string": …}}'],
  ["PUT /things/upsert", { id: 1, string: "a" }, "id", 'belongs in data: {"data": {"id": …}}'],
  ["PUT /things/update", { id: 1, string: "a" }, "id", 'belongs in where: {"where": {"id": …}}'],
  ["PUT /things/update", { where: { id: 1 }, string: "a" }, "string", 'belongs in data: {"data": {"string": …}}'],
  ["PUT /things/update", { string__in: ["a"], data: { string: "b" } }, "string__in", 'belongs in where: {"where": {"string__in": …}}'],
  ["DELETE /things/delete", { id: 1 }, "id", 'belongs in where: {"where": {"id": …}}'],
  ["DELETE /things/delete", { string: "a" }, "string", 'belongs in where: {"where": {"string": …}}'],
  ["POST /things/create", { data: { string: "a" }, other: 1 }, "other", "is not one of data"],
  ["DELETE /things/delete", { data: 1 }, "data", "is not one of query, where, ids"],
  // Filters that other services combine.
  ["GET /things/fetch?or=(string.eq.a,string.eq.b)", undefined, "or", noOr],
  ["GET /things/fetch?$or=string", undefined, "$or", noOr],
  ["GET /things/fetch?or[0][string]=a", undefined, "or[0][string]", noOr],
  ["GET /things/count?_OR=string", undefined, "_OR", noOr],
  ["DELETE /things/delete", { where: { or: [{ id: 1 }, { id: 2 }] } }, "or", noOr],
  ["PUT /things/update", { where: { AND: [{ id: 1 }] }, data: { string: "a" } }, "AND", sideBySide],
  ["GET /things/fetch?not[string]=a", undefined, "not[string]", "is not a field; write field__ne, field__not_in or field__is_not_null"],
  ["GET /things/fetch?order=a&orders=b", undefined, "orders", "is not a field"],
];

test.each(told)("%s %j", async (send, body, field, message) => {
  const { status, envelope } = await service.send({ ...requestOf(send), body }, "admin");
  expect([status, envelope.error]).toEqual([400, "VALIDATION_ERROR"]);
  expect(envelope.message).toBe(`${field}: ${message}`);
  expect(envelope.details?.field).toBe(field);
});

test("a list in place of a body", async () => {
  const sent = { method: "POST", path: "/things/create", body: [{ string: "a" }] };
  const { envelope } = await service.send(sent, "admin");
  expect(envelope.message).toBe(
    'The body must be a JSON object. Put the list into an object, such as {"data": […]}.',
  );
});

// What the service has no route for goes on to the application around it.
const served = { ...fixture, routes };
const { config, pool: database } = await testService();

/** What a path answers in an application that has the service in front of its own. */
async function answerOf(path: string): Promise<Response> {
  const { origin } = await serveApplication((outer) => {
    outer.use(createServer(served, { config, database, log: silent, passUnknown: true }));
    outer.use((request, response) => void response.json({ theirs: request.url }));
  });
  return fetch(`${origin}${path}`);
}

// biome-ignore format: one case a line
test.each([
  "/no/such/path", "/things/nothing",
  // Invalid UTF-8 and a NUL character: at the root, below a model, and in a parameter of an app's route.
  "/%E0%A4%A", "/a%00", "/things/%E0%A4%A", "/%/fetch", "/things/%/ring", "/typed/1%00/2026-01-31",
])("%s goes on", async (path) => {
  const response = await answerOf(path);
  expect(await response.json()).toEqual({ theirs: path });
  expect(response.headers.get("x-frame-options")).toBe("SAMEORIGIN");
});

test.each([
  ["/things/count", 200],
  ["/healthz", 200],
  ["/open", 200],
  ["/things/count?%E0%A4%A=1", 400],
  ["/auth/me", 401],
])("%s is the service's, and answers %i", async (path, status) => {
  const response = await answerOf(path);
  expect(response.status).toBe(status);
  expect(await response.json()).not.toHaveProperty("theirs");
});
