import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { expectRows, outcome, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

const a = "0a000000-0000-4000-8000-00000000000a";
const b = "0b000000-0000-4000-8000-00000000000b";
const old = "2020-01-01T00:00:00+00:00";
const gone = { id: 4, title: "gone", user: 7, deleted_at: old };
const given = {
  tasks: [
    { id: 1, title: "a", user: 7, updated_at: old },
    { id: 2, title: "b", user: 7 },
    { id: 3, title: "c", user: 8 },
    gone,
  ],
};
const live = { deleted_at: null };
const now = expect.stringMatching(/^20[2-9]\d-/);
const dead = { deleted_at: expect.not.stringContaining("2020-") };
const untouched = [live, live, live, gone];

const deleting = (body: Json | undefined, more: Partial<Scenario> = {}): Scenario => ({
  given,
  as: "admin",
  send: "DELETE /tasks/delete",
  ...(body !== undefined && { body }),
  ...more,
});
const deleted = (...ids: number[]) => ({ deleted_count: ids.length, deleted_ids: ids });

describe("soft delete", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    deleting({ query: { id: 1 } },
      { name: "by a filter", data: deleted(1), rows: { tasks: [{ ...dead, updated_at: now, title: "a" }, live, live, gone] } }),
    deleting({ query: { user: 7 } }, { name: "deleted rows are not seen", data: deleted(1, 2), rows: { tasks: [dead, dead, live, gone] } }),
    deleting({ where: { title__in: ["b", "c"] } }, { name: "where is a synonym of query", data: deleted(2, 3) }),
    deleting({ query: { id: 1, deleted_at: "x" } }, { name: "a deleted_at filter is stripped", data: deleted(1) }),
    deleting({ ids: [3, 1] }, { name: "by ids", data: deleted(1, 3), rows: { tasks: [dead, live, dead, gone] } }),
    deleting({ ids: [1, 1, "1", 2] }, { name: "repeated ids count once", data: deleted(1, 2) }),
    deleting({ ids: [1, 9] }, { name: "a missing id, and nothing is deleted", fails: "404 NOT_FOUND", rows: { tasks: untouched } }),
    deleting({ ids: [1, 4] }, { name: "a deleted id is missing", fails: "404 NOT_FOUND", rows: { tasks: untouched } }),
    deleting({ query: { id: 9 } }, { name: "no such row", fails: "404 NOT_FOUND", rows: { tasks: untouched } }),
    deleting({ query: { id: 4 } }, { name: "a deleted row", fails: "404 NOT_FOUND", rows: { tasks: untouched } }),
    deleting(undefined, { send: "DELETE /tasks/delete?id=2", name: "by id in the query string", data: deleted(2) }),
    deleting(undefined, { send: "DELETE /tasks/delete?user=7&title__ne=a", name: "by filters in the query string", data: deleted(2) }),
    deleting({ ids: [b, a.toUpperCase()] },
      { name: "uuid ids", send: "DELETE /notes/delete", given: { notes: [{ id: a, body: "a" }, { id: b, body: "b" }] },
        data: { deleted_count: 2, deleted_ids: [a, b] } }),
    deleting({ query: { id: a } },
      { name: "what refers to a soft-deleted row stays", send: "DELETE /owners/delete",
        given: { owners: [{ id: a, user_id: 1 }], pets: [{ id: 1, name: "p", owner_id: a }] }, rows: { pets: [{ owner_id: a }] } }),
  ]);
});

describe("on a model without soft delete the row is removed", () => {
  const things = { things: [{ id: 1 }, { id: 2, twin_id: 1 }, { id: 3 }] };
  // biome-ignore format: one case a line
  scenarios(service, [
    deleting({ ids: [2, 3] }, { send: "DELETE /things/delete", given: things, name: "by ids", data: deleted(2, 3), rows: { things: [{ id: 1 }] } }),
    deleting({ query: { id: 1 } },
      { send: "DELETE /things/delete", given: things, name: "a row that is still referred to", fails: "400 VALIDATION_ERROR",
        rows: { things: [{}, {}, {}] } }),
    deleting({ ids: [1, 2] }, { send: "DELETE /things/delete", given: things, name: "together with what refers to it", data: deleted(1, 2) }),
    deleting({ query: { id: 1 } },
      { send: "DELETE /order/delete", given: { select: [{ id: 1 }, { id: 2, function_id: 1 }] }, name: "cascade", data: deleted(1),
        rows: { select: [] } }),
  ]);
});

describe("never a whole table", () => {
  const refused = (body: Json | undefined, field: string, query = ""): Scenario =>
    deleting(body, {
      name: `${query} ${JSON.stringify(body)}`.slice(0, 70),
      send: `DELETE /tasks/delete${query}`,
      fails: `400 VALIDATION_ERROR ${field}`,
      rows: { tasks: untouched },
    });
  scenarios(service, [
    refused(undefined, "query"),
    refused({}, "query"),
    refused({ query: {} }, "query"),
    refused({ query: null }, "query"),
    refused({ query: [] }, "query"),
    refused({ query: { deleted_at__is_null: true } }, "query"),
    refused({ where: {} }, "where"),
    refused({ where: { id__not_in: [] } }, "where"),
    refused({ where: { deleted_at: null } }, "where"),
    refused({ ids: [] }, "ids"),
    refused({ ids: null }, "ids"),
    refused({ ids: 1 }, "ids"),
    refused({ ids: "1,2" }, "ids"),
    refused({ ids: [1, null] }, "ids"),
    refused({ ids: [1.5] }, "ids"),
    refused({ ids: ["x"] }, "ids"),
    refused({ ids: [[1]] }, "ids"),
    refused({ ids: Array.from({ length: 51 }, (_, id) => id + 1) }, "ids"),
    refused({ ids: [1], query: { id: 1 } }, "ids"),
    refused({ query: { id: 1 }, where: { id: 1 } }, "where"),
    refused({ query: { id: 1 }, limit: 1 }, "limit"),
    refused({ id: 1 }, "id"),
    refused({ query: { nothing: 1 } }, "nothing"),
    refused({ query: { user: "x" } }, "user"),
    refused(undefined, "query", "?deleted_at=1"),
    refused(undefined, "nothing", "?nothing=1"),
    refused(undefined, "limit", "?id=1&limit=1"),
    refused(undefined, "id", "?id=x"),
    refused(undefined, "id", "?id=1&id=2"),
    refused({ query: { id: 1 } }, "query", "?id=1"),
  ]);
});

describe("rows out of reach", () => {
  const as = { role: "user", sub: "7" };
  // biome-ignore format: one case a line
  scenarios(service, [
    deleting({ query: { id: 1 } }, { as, name: "within reach", data: deleted(1) }),
    deleting({ query: { id: 3 } }, { as, name: "another's row", fails: "403 PERMISSION_DENIED", rows: { tasks: untouched } }),
    deleting({ query: { title__ne: "x" } }, { as, name: "rows that the caller cannot fetch do not count", data: deleted(1, 2) }),
    deleting({ ids: [1, 3] }, { as, name: "one of the ids", fails: "403 PERMISSION_DENIED", rows: { tasks: untouched } }),
    deleting({ ids: [3, 9] }, { as, name: "a missing id goes first", fails: "404 NOT_FOUND", rows: { tasks: untouched } }),
    deleting({ query: { id: 9 } }, { as, name: "no row", fails: "404 NOT_FOUND" }),
    deleting({ query: { id: 1 } }, { as: "staff", name: "no rule", fails: "403 PERMISSION_DENIED", rows: { tasks: untouched } }),
    deleting({ query: { salary: 1 } },
      { as: null, send: "DELETE /people/delete", name: "a forbidden filter", fails: "403 PERMISSION_DENIED salary" }),
  ]);
});

test("of concurrent deletes of one row one succeeds", async () => {
  await service.store(given);
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, index) =>
      service.send(
        {
          method: "DELETE",
          path: "/tasks/delete",
          body: index % 2 === 0 ? { ids: [1] } : { query: { id: 1 } },
        },
        "admin",
      ),
    ),
  );
  expect(replies.map(outcome).sort()).toEqual(["200", ...Array(9).fill("404 NOT_FOUND")]);
  await expectRows(service, "tasks", [dead, live, live, gone]);
});
