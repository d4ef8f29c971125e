import { describe } from "vitest";
import { type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

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
