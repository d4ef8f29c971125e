import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Service } from "#runtime/index";
import type { Json } from "#vocabulary/json";
import { project } from "../generator/support/project.ts";
import { requestOf } from "../support/request.ts";
import { expectRows, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import { inTurn } from "../support/turns.ts";

const service = await testService();

const one = "1a000000-0000-4000-8000-000000000001";
const two = "1a000000-0000-4000-8000-000000000002";
const [early, noon, late] = ["2026-01-01T08:00:00Z", "2026-01-01T12:00:00Z", "2026-01-01T18:00:00Z"];
const planned = { id: one, code: "a", starts_at: noon, ends_at: late, status: "planned", seats: 1, owner: 7 };
const done = { id: two, code: "b", status: "done", report: "fine", seats: 4, most: 5, owner: 8 };
const given = { visits: [planned, done] };
const untouched = {
  visits: [
    { code: "a", status: "planned", seats: 1, report: null },
    { code: "b", status: "done", seats: 4, report: "fine" },
  ],
};
const messages = {
  ends_after_start: "A visit ends after it starts.",
  done_is_reported: 'A visit that is done has a report; "none" is one, too.',
  a_seat_each: "There are not so many seats.",
  keyed: "It needs a key.",
  made_by_its_owner: "Only 13 makes visits of 13.",
};

type Check = keyof typeof messages;
const breaks = (check: Check, field: string): Pick<Scenario, "fails" | "details"> => ({
  fails: `400 VALIDATION_ERROR ${field}`,
  details: { field, check },
});

describe("create", () => {
  const creating = (data: Json, more: Partial<Scenario> = {}): Scenario => ({
    as: "admin",
    send: "POST /visits/create",
    body: { data },
    ...more,
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    creating({ starts_at: noon, ends_at: late }, { data: expect.objectContaining({ ends_at: expect.anything() }) }),
    creating({ starts_at: late }, { name: "what is unknown passes", data: expect.anything() }),
    creating({ starts_at: noon, ends_at: noon }, { ...breaks("ends_after_start", "ends_at"), rows: { visits: [] } }),
    creating({ status: "done" }, breaks("done_is_reported", "status")),
    creating({ seats: 3, most: 2 }, breaks("a_seat_each", "seats")),
    creating({ seats: 101, most: 200 }, breaks("a_seat_each", "seats")),
    creating({ code: "k\\1" }, breaks("keyed", "code")),
    creating({ code: "k1" }, { name: "a backslash of a pattern is itself", data: expect.anything() }),
    creating({ code: "k\\1", key: "secret" }, { data: expect.anything() }),
    creating({ starts_at: noon, ends_at: early, status: "done", seats: 2, most: 1 },
      { name: "of several the first of the list, not of the alphabet", ...breaks("ends_after_start", "ends_at") }),
    creating({ status: "done", seats: 2, most: 1 }, breaks("done_is_reported", "status")),
    creating({ status: "done", seats: "2" }, { name: "single fields come first", fails: "400 VALIDATION_ERROR seats" }),
    creating({ status: "done", owner: 8 }, { name: "so do rules", as: { role: "user", sub: "7" }, fails: "403 PERMISSION_DENIED" }),
  ]);

  test.each(Object.entries({ ends_at: early, starts_at: late }))(
    "the message stands as it is written",
    async (name, value) => {
      await service.store({});
      const data = { starts_at: noon, ends_at: noon, [name]: value };
      const { envelope } = await service.send(requestOf("POST /visits/create", { data }), "admin");
      expect(envelope.message).toBe(messages.ends_after_start);
      expect(envelope.details).toEqual({ field: "ends_at", check: "ends_after_start" });
    },
  );
});

describe("update", () => {
  const updating = (where: Json, data: Json, more: Partial<Scenario> = {}): Scenario => ({
    given,
    as: "admin",
    send: "PUT /visits/update",
    body: { where, data },
    ...more,
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    updating({ id: one }, { starts_at: early }, { data: expect.objectContaining({ updated_count: 1 }) }),
    updating({ id: one }, { ends_at: early }, { ...breaks("ends_after_start", "ends_at"), rows: untouched }),
    updating({ id: one }, { starts_at: late }, breaks("ends_after_start", "ends_at")),
    updating({ code__in: ["a", "b"] }, { report: null },
      { name: "none is written where one breaks it", ...breaks("done_is_reported", "status"), rows: untouched }),
    updating({ id: two }, { report: null },
      { name: "a row out of reach tells nothing of itself", as: { role: "user", sub: "7" }, fails: "403 PERMISSION_DENIED", rows: untouched }),
    { name: "restore judges what it changes", given: { visits: [{ ...done, deleted_at: noon }] }, as: "admin", send: "PATCH /visits/restore",
      body: { where: { id: two }, data: { report: null } }, ...breaks("done_is_reported", "status") },
  ]);
});

describe("bulk: only that record fails", () => {
  const failed = (index: number, check: Check, field: string) => ({
    ...{ index, error: "VALIDATION_ERROR", message: messages[check], field, check },
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    { name: "create", as: "admin", send: "POST /visits/create",
      body: { data: [{ code: "x", status: "done" }, { code: "y" }, { code: "z", seats: 2, most: 1, starts_at: noon, ends_at: early }] },
      data: { ...{ inserted_count: 1, inserted_ids: [expect.any(String)], failed_count: 2, total_attempted: 3 },
        failed_records: [failed(0, "done_is_reported", "status"), failed(2, "ends_after_start", "ends_at")] }, rows: { visits: [{ code: "y" }] } },
    { name: "create, where all of them do", as: "admin", send: "POST /visits/create", body: { data: [{ status: "done" }, { seats: -1 }] },
      fails: "400 VALIDATION_ERROR", details: { failed_records: [failed(0, "done_is_reported", "status"), failed(1, "a_seat_each", "seats")] } },
    { name: "update", given, as: "admin", send: "PUT /visits/update", body: { data: [{ id: one, seats: 9, most: 9 }, { id: two, most: 3 }] },
      data: { ...{ updated_count: 1, updated_ids: [one], failed_count: 1, total_attempted: 2 },
        failed_records: [failed(1, "a_seat_each", "seats")] }, rows: { visits: [{ seats: 9 }, { most: 5 }] } },
  ]);
});

describe("upsert judges the row as it will be", () => {
  const upserting = (data: Json, more: Partial<Scenario> = {}): Scenario => ({
    given,
    as: "admin",
    send: "PUT /visits/upsert",
    body: { data },
    ...more,
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    upserting({ code: "b", status: "done", most: 9 },
      { name: "a field that was not sent keeps the value of the row", data: { id: two },
        rows: { visits: [{}, { status: "done", report: "fine", seats: 4, most: 9, owner: 8 }] } }),
    upserting({ id: two, status: "done" }, { name: "by its id", data: { id: two }, rows: { visits: [{}, { status: "done", report: "fine" }] } }),
    upserting({ code: "b", report: null }, { name: "which a new row would pass", ...breaks("done_is_reported", "status"), rows: untouched }),
    upserting({ code: "a", ends_at: early }, { ...breaks("ends_after_start", "ends_at"), rows: untouched }),
    upserting({ id: one, ends_at: early }, { ...breaks("ends_after_start", "ends_at"), rows: untouched }),
    upserting({ code: "c", status: "done" }, { name: "a new row", ...breaks("done_is_reported", "status") }),
    upserting({ code: "c", status: "done", report: "new" }, { name: "a new row that passes", data: { id: expect.any(String) } }),
    upserting({ code: "b", status: "done" },
      { name: "a deleted row does not count", given: { visits: [{ ...done, deleted_at: noon }] }, ...breaks("done_is_reported", "status") }),
    upserting({ code: "b", owner: 7, report: null },
      { name: "a row out of reach tells nothing of itself", as: { role: "user", sub: "7" }, fails: "403 PERMISSION_DENIED", rows: untouched }),
    upserting({ code: "a", owner: 7, ends_at: early },
      { name: "one within reach does", as: { role: "user", sub: "7" }, ...breaks("ends_after_start", "ends_at") }),
    upserting({ code: "a", owner: 7, seats: 2, most: 2 },
      { name: "under rules", as: { role: "user", sub: "7" }, data: { id: one }, rows: { visits: [{ seats: 2, most: 2, status: "planned" }, {}] } }),
  ]);
});

describe("what presets set is judged", () => {
  const of13 = { id: one, code: "a", owner: 13, maker: 13, seats: 1, most: 3 };
  const by = (sub: string, send: string, data: Json, more: Partial<Scenario>): Scenario => ({
    given: { visits: [of13] },
    as: { role: "admin", sub },
    send,
    body: { data },
    ...more,
  });
  const broken = breaks("made_by_its_owner", "owner");
  // biome-ignore format: one case a line
  scenarios(service, [
    by("13", "POST /visits/create", { owner: 13 }, { data: expect.objectContaining({ maker: 13 }) }),
    by("5", "POST /visits/create", { owner: 13 }, broken),
    by("5", "PUT /visits/upsert", { code: "b", owner: 13 }, broken),
    by("5", "PUT /visits/upsert", { code: "a", seats: 2 },
      { name: "an upsert of a row that is there leaves the preset as it was", data: { id: one },
        rows: { visits: [{ seats: 2, owner: 13, maker: 13 }] } }),
    by("5", "PUT /visits/upsert", { code: "a", owner: 13, seats: 2 }, { data: { id: one } }),
  ]);
});

describe("what hooks leave is judged", () => {
  const slot = (data: Json, more: Partial<Scenario>): Scenario => ({
    given: { slots: [{ id: 1, first: 3, last: 5, code: "a" }] },
    send: "POST /slots/create",
    body: { data },
    ...more,
  });
  const broken = { fails: "400 VALIDATION_ERROR last", details: { check: "in_order" } };
  const where = { id: 1 };
  // biome-ignore format: one case a line
  scenarios(service, [
    slot({ first: 3, last: 1, shift: 2 }, { data: expect.objectContaining({ last: 3 }) }),
    slot({ first: 3, last: 4, shift: -2 }, { ...broken, rows: { slots: [{ last: 5 }] } }),
    slot(null, { send: "PUT /slots/update", body: { where, data: { last: 4, shift: -2 } }, ...broken }),
    slot(null, { send: "PUT /slots/update", body: { where, data: { last: 1, shift: 2 } }, data: expect.anything() }),
    slot({ code: "a", first: 4, last: 5, shift: -2 }, { send: "PUT /slots/upsert", ...broken }),
    slot({ code: "a", first: 4, last: 3, shift: 2 }, { send: "PUT /slots/upsert", data: { id: 1 } }),
    slot({ id: 1, first: 4, last: 3 }, { send: "PUT /slots/upsert", ...broken }),
    slot(null, { name: "record by record in a bulk",
      body: { data: [
          { first: 3, last: 4, shift: -2 },
          { first: 3, last: 1, shift: 2 },
        ],
      },
      data: expect.objectContaining({ inserted_count: 1,
        failed_records: [
          { ...{ index: 0, error: "VALIDATION_ERROR", message: "The last comes after the first." },
            ...{ field: "last", check: "in_order" },
          },
        ],
      }),
    }),
  ]);
});

describe("writes at the same time", () => {
  const put = (path: string, body: Json) => service.send({ method: "PUT", path, body }, "admin");

  test("two updates of the two columns of a check: the second is judged with what the first wrote", async () => {
    await service.store(given);
    const [reply] = await inTurn(service, "UPDATE visits SET most = 3, seats = 3 WHERE code = 'b'", () =>
      put("/visits/update", { where: { id: two }, data: { seats: 5 } }),
    );
    expect(reply?.envelope.details).toEqual({ field: "seats", check: "a_seat_each" });
    await expectRows(service, "visits", [{}, { seats: 3, most: 3 }]);
  });

  test("an upsert is judged with what came meanwhile", async () => {
    await service.store(given);
    const [reply] = await inTurn(
      service,
      "UPDATE visits SET report = NULL, status = 'planned' WHERE code = 'b'",
      () => put("/visits/upsert", { data: { code: "b", status: "done" } }),
    );
    expect(reply?.envelope.details).toMatchObject({ check: "done_is_reported" });
  });

  test("an upsert whose row is deleted meanwhile creates one from only the sent values", async () => {
    await service.store(given);
    const [reply] = await inTurn(service, "DELETE FROM visits WHERE code = 'b'", () =>
      put("/visits/upsert", { data: { code: "b", most: 5 } }),
    );
    expect(reply?.envelope.data).toEqual({ id: expect.not.stringContaining(two) });
    const [row] = await service.query(
      "SELECT status, report, seats, most, owner FROM visits WHERE code = 'b'",
    );
    expect(row).toEqual({ status: "planned", report: null, seats: null, most: 5, owner: null });
  });
});

describe("checks of others", async () => {
  const everyone = [{ role: "*" }];
  const { root, generate } = project({
    rooms: { soft_delete: true, fields: { name: { type: "string" } }, access: { destroy: everyone } },
    visits: {
      fields: {
        room: { type: "belongs_to", relationship: { model: "rooms", on_delete: "set_null" } },
        seats: { type: "integer" },
      },
      checks: [
        {
          name: "seated_somewhere",
          condition: "seats IS NULL OR room IS NOT NULL",
          message: "Seats are in a room.",
          field: "room",
        },
      ],
      access: { fetch: everyone },
    },
  });
  await generate();
  const { service: served }: { service: Service } = await import(join(root, "generated/index.ts"));
  const service = await testService({}, { served });
  const given = { rooms: [{ id: 1 }], visits: [{ id: 1, room: 1, seats: 2 }] };
  const broken = {
    ...{ statusCode: 400, error: "VALIDATION_ERROR", message: "Seats are in a room." },
    details: { field: "room", check: "seated_somewhere" },
  };

  test.each([
    ["DELETE", "/rooms/destroy", { query: { id: 1 } }],
    ["POST", "/graphql", { query: "mutation { destroyRooms(where: { id: 1 }) { id } }" }],
  ])("a delete fails if a row of another model then breaks its check: %s %s", async (method, path, body) => {
    await service.store(given);
    const { envelope } = await service.send({ method, path, body }, "admin");
    expect(envelope).toMatchObject(broken);
    expect(await service.query("select room, seats from visits")).toEqual([{ room: "1", seats: 2 }]);
  });
});
