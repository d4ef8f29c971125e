import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();
const wide = await testService({ server: { bodyLimitBytes: 10_000_000, bulkLimit: 5_000 } });

const uuid = "1a000000-0000-4000-8000-000000000001";

const creating = (model: string, data: Json, more: Partial<Scenario> = {}): Scenario => ({
  as: "admin",
  send: `POST /${model}/create`,
  body: { data },
  ...more,
});

describe("bulk create", () => {
  const failed = (index: number, error: string, field?: string) => ({
    index,
    error,
    message: expect.any(String),
    ...(field !== undefined && { field }),
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    creating("tasks", [{ title: "a" }, { title: "b", status: "done" }],
      { name: "all succeed, defaults and all",
        data: { inserted_count: 2, inserted_ids: [expect.any(Number), expect.any(Number)], failed_count: 0, failed_records: [],
          total_attempted: 2 }, rows: { tasks: [{ title: "a", status: "open" }, { title: "b", status: "done" }] } }),
    creating("tasks", [{ title: "a" }, { title: 1 }, { title: "taken" }, {}, "x", { title: "a" }, { title: "z", id: 1 }, { title: "b" }],
      { name: "those that fail are reported, the others are written", given: { tasks: [{ id: 1, title: "taken" }] },
        data: { inserted_count: 2, inserted_ids: [expect.any(Number), expect.any(Number)], failed_count: 6,
          failed_records: [failed(1, "VALIDATION_ERROR", "title"), failed(2, "VALIDATION_ERROR", "title"),
            failed(3, "VALIDATION_ERROR", "title"), failed(4, "VALIDATION_ERROR"), failed(5, "VALIDATION_ERROR", "title"),
            failed(6, "VALIDATION_ERROR", "id")], total_attempted: 8 }, rows: { tasks: [{ title: "taken" }, { title: "a" }, { title: "b" }] } }),
    creating("tasks", [{ title: 1 }, { title: "taken" }],
      { name: "all fail", given: { tasks: [{ id: 1, title: "taken" }] }, fails: "400 VALIDATION_ERROR",
        details: { failed_records: [failed(0, "VALIDATION_ERROR", "title"), failed(1, "VALIDATION_ERROR", "title")] },
        rows: { tasks: [{ title: "taken" }] } }),
    creating("things", [{ datetime: "2026-01-01T01:00:00+01:00", json: null, float: 0.1 }, { json: [1] }, { twin_id: 99 }],
      { name: "each type of value as in a single create",
        data: expect.objectContaining({ inserted_count: 2, failed_records: [failed(2, "VALIDATION_ERROR", "twin_id")] }),
        rows: { things: [{ datetime: "2026-01-01T00:00:00+00:00", json: null, float: 0.1 }, { json: [1], float: null }] } }),
    creating("notes", [{ id: uuid, body: "a" }, { body: "b" }],
      { name: "uuid models", data: expect.objectContaining({ inserted_ids: [uuid, expect.any(String)] }) }),
    creating("tasks", Array.from({ length: 50 }, (_, index) => ({ title: `t${index}` })),
      { name: "as many as the limit", data: expect.objectContaining({ inserted_count: 50, failed_count: 0 }) }),
    creating("tasks", Array.from({ length: 51 }, (_, index) => ({ title: `t${index}` })),
      { name: "one more", fails: "400 VALIDATION_ERROR data", rows: { tasks: [] } }),
    creating("defaults", [{ name: "a" }, { name: "b", size: "large" }],
      { name: "row conditions hold per record, for defaults too", as: "small",
        data: expect.objectContaining({ inserted_count: 1, failed_records: [failed(1, "PERMISSION_DENIED")] }), rows: { defaults: [{ name: "a" }] } }),
    creating("people", [{ name: "a" }, { name: "b", salary: 1 }],
      { name: "forbidden fields are refused per record", as: "user",
        data: expect.objectContaining({ inserted_count: 1, failed_records: [failed(1, "PERMISSION_DENIED", "salary")] }),
        rows: { people: [{ name: "a" }] } }),
    creating("people", [{ name: "b", salary: "x" }],
      { name: "a bulk of which all are forbidden", as: "user", fails: "400 VALIDATION_ERROR",
        details: { failed_records: [failed(0, "PERMISSION_DENIED", "salary")] } }),
  ]);

  test("null in a json field is NULL, not JSON's null", async () => {
    await service.store({});
    const data = [{ json: null }, { json: [null] }];
    await service.send({ method: "POST", path: "/things/create", body: { data } }, "admin");
    const { envelope } = await service.send({ method: "GET", path: "/things/count?json__is_null=1" });
    expect(envelope.data).toEqual({ count: 1 });
  });

  test("a bulk has more values than a statement of PostgreSQL may have parameters", async () => {
    await wide.store({});
    const data = Array.from({ length: 5_000 }, (_, integer) => ({
      integer,
      string: "s",
      json: [integer],
      grade: 1,
    }));
    const reply = await wide.send({ method: "POST", path: "/things/create", body: { data } }, "admin");
    expect(reply.envelope.data).toMatchObject({ inserted_count: 5_000, failed_count: 0 });
    expect(await wide.query("SELECT sum(integer)::int FROM things")).toEqual([{ sum: 12_497_500 }]);
  });

  test("inserted_ids stand in the order of the records", async () => {
    await service.store({});
    const data = Array.from({ length: 40 }, (_, index) => ({ title: `t${index}` }));
    const { envelope } = await service.send(
      { method: "POST", path: "/tasks/create", body: { data } },
      "admin",
    );
    const rows = await service.query("SELECT id::int, title FROM tasks ORDER BY id");
    expect(rows.map(({ title }) => title)).toEqual(data.map(({ title }) => title));
    expect(envelope.data).toMatchObject({ inserted_ids: rows.map(({ id }) => id) });
  });
});
