import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { expectRows, failed, outcome, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

const uuid = "1a000000-0000-4000-8000-000000000001";
const old = "2020-01-01T00:00:00Z";
const given = {
  tasks: [
    { id: 1, title: "a", user: 7, project: "p", updated_at: old },
    { id: 2, title: "b", user: 7, project: "p", updated_at: old },
    { id: 3, title: "c", user: 8, updated_at: old },
    { id: 4, title: "gone", user: 7, deleted_at: old, updated_at: old },
  ],
};
const untouched = [{ title: "a" }, { title: "b" }, { title: "c" }, { title: "gone" }].map((row) => ({
  ...row,
  updated_at: "2020-01-01T00:00:00+00:00",
}));

const updating = (where: Json, data: Json, more: Partial<Scenario> = {}): Scenario => ({
  given,
  as: "admin",
  send: "PUT /tasks/update",
  body: { where, data },
  ...more,
});
const changed = (...ids: number[]) => ({ updated_count: ids.length, updated_ids: ids });

describe("what is changed", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    updating({ id: 1 }, { project: "q" },
      { name: "one row, and no field that was not sent", data: changed(1),
        rows: { tasks: [{ title: "a", user: 7, project: "q", updated_at: expect.not.stringContaining("2020") }, ...untouched.slice(1)] } }),
    updating({ user: 7 }, { project: null, status: "done" },
      { name: "several rows; deleted ones are not seen", data: changed(1, 2),
        rows: { tasks: [{ project: null, status: "done" }, { project: null }, {}, { status: "open" }] } }),
    updating({ title__in: ["a", "c"], user__gt: 7 }, { user: 9 }, { name: "operators", data: changed(3) }),
    updating({ id: 1, deleted_at: "x" }, { user: 9 }, { name: "a deleted_at filter is stripped", data: changed(1) }),
    updating({ id: 1 }, { title: "a" }, { name: "a unique value may stay", data: changed(1) }),
    updating({ id: 9 }, { user: 9 }, { name: "no such row", fails: "404 NOT_FOUND", rows: { tasks: untouched } }),
    updating({ id: 4 }, { user: 9 }, { name: "a deleted row", fails: "404 NOT_FOUND", rows: { tasks: untouched } }),
    { name: "each type of value", given: { things: [{ id: 1 }], owners: [{ id: uuid, user_id: 1 }] }, as: "admin", send: "PUT /things/update",
      body: { where: { id: 1 },
        data: { string: "s", text: "t", integer: 5, float: 0.25, boolean: true, datetime: "2026-01-01T02:00:00+02:00", date: "2026-01-01",
          email: "a@b.org", json: [null, { a: 1 }], uuid, password: "secret", size: "small", grade: 1, owner_id: uuid, twin_id: 1 } },
      data: changed(1),
      rows: { things: [{ string: "s", float: 0.25, datetime: "2026-01-01T00:00:00+00:00", date: "2026-01-01", json: [null, { a: 1 }],
            password: expect.stringMatching(/^\$2[aby]\$04\$/), owner_id: uuid, twin_id: 1 }] } },
    { name: "defaults apply only to new rows", given: { defaults: [{ id: 1, integer: 1, text: null }] }, as: "admin", send: "PUT /defaults/update",
      body: { where: { id: 1 }, data: { float: 2 } }, rows: { defaults: [{ float: 2, integer: 1, text: null }] } },
    { name: "ids of uuid models", given: { notes: [{ id: uuid, body: "a" }] }, as: "admin", send: "PUT /notes/update",
      body: { where: { id: uuid }, data: { body: "b" } }, data: { updated_count: 1, updated_ids: [uuid] } },
  ]);
});

describe("never a whole table, never something else", () => {
  const refused = (body: Json | undefined, field: string): Scenario => ({
    name: `body ${JSON.stringify(body)}`,
    given,
    as: "admin",
    send: "PUT /tasks/update",
    ...(body !== undefined && { body }),
    fails: `400 VALIDATION_ERROR ${field}`,
    rows: { tasks: untouched },
  });
  const data = { user: 9 };
  const where = { id: 1 };
  scenarios(service, [
    refused(undefined, "data"),
    refused({}, "data"),
    refused({ data }, "where"),
    refused({ where: {}, data }, "where"),
    refused({ where: null, data }, "where"),
    refused({ where: { id__not_in: [] }, data }, "where"),
    refused({ where: [], data }, "where"),
    refused({ where: "id=1", data }, "where"),
    refused({ where: { deleted_at: null }, data }, "where"),
    refused({ where: { deleted_at__is_null: true, deleted_at__ne: 1 }, data }, "where"),
    refused({ where }, "data"),
    refused({ where, data: {} }, "data"),
    refused({ where, data: null }, "data"),
    refused({ where, data: 1 }, "data"),
    refused({ where, data, limit: 1 }, "limit"),
    refused({ where: { nothing: 1 }, data }, "nothing"),
    refused({ where: { user__foo: 1 }, data }, "user__foo"),
    refused({ where: { user: "x" }, data }, "user"),
    refused({ where, data: { user: "9" } }, "user"),
    refused({ where, data: { title: null } }, "title"),
    refused({ where, data: { status: "x" } }, "status"),
    refused({ where, data: { nothing: 1 } }, "nothing"),
    refused({ where, data: { id: 2 } }, "id"),
    refused({ where, data: { created_at: old } }, "created_at"),
    refused({ where, data: { updated_at: old } }, "updated_at"),
    refused({ where, data: { deleted_at: null } }, "deleted_at"),
    refused({ where, data: { title: "b" } }, "title"),
    refused({ where: { user: 7 }, data: { title: "new" } }, "title"),
    refused({ query: where, data }, "query"),
    refused({ where, data: [{ id: 1, user: 9 }] }, "where"),
  ]);
});

const bulk = (data: Json, more: Partial<Scenario>): Scenario => ({
  given,
  as: "admin",
  send: "PUT /tasks/update",
  body: { data },
  ...more,
});

describe("bulk", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    bulk([{ id: 2, project: null }, { id: 1, user: 9, status: "done" }],
      { name: "each record its own fields",
        data: { updated_count: 2, updated_ids: [2, 1], failed_count: 0, failed_records: [], total_attempted: 2 },
        rows: { tasks: [{ title: "a", user: 9, status: "done", project: "p" }, { user: 7, status: "open", project: null }, {}, {}] } }),
    bulk([{ id: 1, title: "b" }, { id: 2, user: 1 }, { id: 2, user: 2 }, { id: 9, user: 1 }, { id: 4, user: 1 }, { user: 1 },
        { id: "x", user: 1 }, { id: 3 }, { id: 3, user: "x" }, { id: 3, deleted_at: null }, { id: 3, nothing: 1 }, null],
      { name: "those that fail are reported, the others are written",
        data: { updated_count: 1, updated_ids: [2], failed_count: 11,
          failed_records: [failed(0, "VALIDATION_ERROR", "title"), failed(2, "VALIDATION_ERROR", "id"), failed(3, "NOT_FOUND"),
            failed(4, "NOT_FOUND"), failed(5, "VALIDATION_ERROR", "id"), failed(6, "VALIDATION_ERROR", "id"),
            failed(7, "VALIDATION_ERROR", "data"), failed(8, "VALIDATION_ERROR", "user"), failed(9, "VALIDATION_ERROR", "deleted_at"),
            failed(10, "VALIDATION_ERROR", "nothing"), failed(11, "VALIDATION_ERROR")], total_attempted: 12 },
        rows: { tasks: [{ title: "a", user: 7 }, { user: 1 }, { user: 8 }, { user: 7 }] } }),
    bulk([{ id: 9, user: 1 }], { name: "all fail", fails: "400 VALIDATION_ERROR", details: { failed_records: [failed(0, "NOT_FOUND")] } }),
    bulk([], { fails: "400 VALIDATION_ERROR data" }),
    bulk(Array.from({ length: 51 }, (_, id) => ({ id, user: 1 })),
      { name: "more than the limit", fails: "400 VALIDATION_ERROR data", rows: { tasks: untouched } }),
    bulk([{ id: 1, user: 8 }, { id: 2, project: "q" }, { id: 3, project: "q" }],
      { name: "row conditions hold per record, before and after", as: { role: "user", sub: "7" },
        data: expect.objectContaining({ updated_ids: [2], failed_records: [failed(0, "PERMISSION_DENIED"), failed(2, "PERMISSION_DENIED")] }),
        rows: { tasks: [{ user: 7 }, { project: "q" }, { project: null }, {}] } }),
    { name: "forbidden fields are refused per record", given: { people: [{ id: 1, name: "a" }, { id: 2, name: "b" }] }, as: "user",
      send: "PUT /people/update", body: { data: [{ id: 1, salary: 1 }, { id: 2, name: "c" }] },
      data: expect.objectContaining({ updated_ids: [2], failed_records: [failed(0, "PERMISSION_DENIED", "salary")] }),
      rows: { people: [{ salary: null }, { name: "c" }] } },
    { name: "each type of value; null is null, and what is not sent stays",
      given: { things: [{ id: 1, json: [1], date: "2020-01-01" }, { id: 2, json: [2], date: "2020-01-01" }] }, as: "admin",
      send: "PUT /things/update",
      body: { data: [{ id: 1, json: null, datetime: "2026-01-01T01:00+01:00" }, { id: 2, date: null, uuid, float: 0.1 }] },
      rows: { things: [{ json: null, date: "2020-01-01", datetime: "2026-01-01T00:00:00+00:00" },
          { json: [2], date: null, datetime: null, uuid, float: 0.1 }] } },
  ]);
});

test("concurrent updates all take effect, each on its own field", async () => {
  await service.store(given);
  const sent = [{ user: 1 }, { project: "z" }, { list: "l" }, { position: 5 }, { status: "done" }];
  const replies = await Promise.all(
    sent.map((data) =>
      service.send({ method: "PUT", path: "/tasks/update", body: { where: { id: 3 }, data } }, "admin"),
    ),
  );
  expect(replies.map(outcome)).toEqual(Array(5).fill("200"));
  const [, , row] = await service.query("SELECT * FROM tasks ORDER BY id");
  expect(row).toMatchObject(Object.assign({}, ...sent));
});

test("concurrent bulk updates in opposite orders all succeed", async () => {
  const ids = Array.from({ length: 20 }, (_, index) => index + 1);
  await service.store({ docs: ids.map((id) => ({ id, code: `c${id}` })) });
  const replies = await Promise.all(
    Array.from({ length: 10 }, (_, round) => {
      const order = round % 2 === 0 ? ids : ids.toReversed();
      const data = order.map((id) => ({ id, place: round, folder: `f${id}` }));
      return service.send({ method: "PUT", path: "/docs/update", body: { data } }, "admin");
    }),
  );
  expect(replies.map(outcome)).toEqual(Array(10).fill("200"));
  const places = await service.query("SELECT DISTINCT place FROM docs");
  expect(places).toHaveLength(1);
});

test("of concurrent updates that take a row out of reach one succeeds", async () => {
  await service.store(given);
  const body = { where: { id: 1, status: "open" }, data: { status: "done" } };
  const replies = await Promise.all(
    Array.from({ length: 10 }, () => service.send({ method: "PUT", path: "/tasks/update", body }, "admin")),
  );
  expect(replies.map(outcome).sort()).toEqual(["200", ...Array(9).fill("404 NOT_FOUND")]);
  await expectRows(service, "tasks", [{ status: "done" }, {}, {}, {}]);
});
