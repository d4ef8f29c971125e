import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { requestOf } from "../support/request.ts";
import { expectRows, failed, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

const uuid = "1a000000-0000-4000-8000-000000000001";
const stamp = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const serverMade = { id: expect.any(Number), created_at: stamp, updated_at: stamp };

const creating = (model: string, data: Json, more: Partial<Scenario> = {}): Scenario => ({
  as: "admin",
  send: `POST /${model}/create`,
  body: { data },
  ...more,
});

const whole = {
  string: "abc",
  text: "x",
  integer: 1,
  float: 0.5,
  boolean: false,
  datetime: "2026-01-01T00:00:00Z",
  timestamp: "2026-01-01T00:00",
  date: "2026-01-01",
  email: "a@example.org",
  json: 0,
  uuid,
  size: "small",
};

describe("what is stored and answered", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    creating("things",
      { string: "a'b\\", text: "", integer: -2147483648, float: -0.1, boolean: true, datetime: "2026-06-01T12:00:00.123456+02:00",
        timestamp: "2026-06-01", date: "2026-02-28", email: "ü@exämple.org", json: { z: [1, "2", null, { a: true }], a: "é" },
        uuid: uuid.toUpperCase(), size: "large", grade: 2 },
      { name: "each type",
        data: { ...serverMade, string: "a'b\\", text: "", integer: -2147483648, float: -0.1, boolean: true, datetime: "2026-06-01T10:00:00.123Z",
          timestamp: "2026-06-01T00:00:00.000Z", date: "2026-02-28", email: "ü@exämple.org", json: { z: [1, "2", null, { a: true }], a: "é" },
          uuid, size: "large", grade: 2, owner_id: null, twin_id: null },
        rows: { things: [{ string: "a'b\\", integer: -2147483648, boolean: true }] } }),
    creating("things", { string: null, json: null, boolean: null, grade: null, uuid: null, password: null },
      { name: "null in each nullable field", rows: { things: [{ string: null, json: null, boolean: null, password: null }] } }),
    ...([[], "text", 5, true, { deep: { er: [[]] } }] satisfies Json[]).map((json) => creating("things", { json }, { rows: { things: [{ json }] } })),
    creating("defaults", { name: "x" },
      { name: "defaults",
        data: { ...serverMade, name: "x", string: "it's", text: "long", integer: 7, float: 1.5, boolean: true,
          datetime: "2025-12-31T22:00:00.000Z", date: "2026-01-01", email: "nobody@example.org", json: { a: [1, "b"] },
          uuid: "00000000-0000-4000-8000-000000000001", size: "small", grade: 2 } }),
    creating("defaults", { name: "x", text: null, json: null, integer: 0, boolean: false },
      { name: "what is sent goes before a default, null too",
        rows: { defaults: [{ text: null, json: null, integer: 0, boolean: false, string: "it's" }] } }),
    creating("notes", { body: "x" },
      { name: "a uuid model makes an id of version 4",
        data: { id: expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/), body: "x", code: null,
          created_at: stamp, updated_at: stamp, deleted_at: null } }),
    creating("notes", { id: uuid.toUpperCase(), body: "x" }, { name: "or takes the one that is sent", rows: { notes: [{ id: uuid }] } }),
    creating("strict-things", { ...whole, string: "€€€€€", integer: 10, float: 9.5, pin: "1234" },
      { name: "bounds are inclusive, lengths in characters; a password is hashed and not answered",
        data: expect.not.objectContaining({ pin: expect.anything() }),
        rows: { strict_rows: [{ pin: expect.stringMatching(/^\$2[aby]\$04\$.{53}$/), string: "€€€€€" }] } }),
    creating("order", { order: "by", constructor: "c", select: 5, toString: "t", hasOwnProperty: {}, default: "2026-01-01" },
      { name: "names that JavaScript and SQL use themselves",
        rows: { select: [{ order: "by", constructor: "c", select: 5, toString: "t", class: null, hasOwnProperty: {} }] } }),
    creating("order", { order: "x" },
      { name: "and are not found on the prototype of a body",
        rows: { select: [{ order: "x", constructor: null, toString: null, hasOwnProperty: null, select: 1 }] } }),
  ]);
});

const refused = (model: string, data: Json, field?: string, more: Partial<Scenario> = {}): Scenario =>
  creating(model, data, {
    name: JSON.stringify(data).slice(0, 80),
    fails: `400 VALIDATION_ERROR${field === undefined ? "" : ` ${field}`}`,
    ...more,
  });

describe("values that do not fit", () => {
  const bad: Readonly<Record<string, readonly Json[]>> = {
    string: [1, true, [], {}, "x".repeat(256)],
    text: [1, {}],
    integer: ["5", 1.5, 2147483648, -2147483649, true, "", {}],
    float: ["1.5", true, []],
    boolean: ["true", 0, 1, "f"],
    datetime: ["now", "2026-02-30", 1767225600, "2026-01-01T24:00", "", "2026-01-01 00:00:00", true],
    timestamp: ["infinity", "2026-01-01T00:00:60Z"],
    date: ["2026-01-01T00:00:00Z", "2026-13-01", "0000-01-01", "10000-01-01", 1],
    email: ["a", "a@", "@b.org", "a b@c.org", "a@b.org\nBcc: c@d.org", 1, ""],
    uuid: ["x", "1a000000000040008000000000000001", 1],
    size: ["medium", "SMALL", 1],
    grade: [3, "1", 1.5],
    password: ["", 1, "x".repeat(73)],
    owner_id: ["x", 1],
    twin_id: ["1", 1.5, 9007199254740992],
  };
  // biome-ignore format: one case a line
  scenarios(service, [
    ...Object.entries(bad).flatMap(([field, values]) => values.map((value) => refused("things", { [field]: value }, field))),
    ...Object.entries({ string: ["a", "abcdef", "ABC", null],
      text: ["", null],
      integer: [0, 11, null],
      float: [0.4, 9.6, null],
      json: [null],
      boolean: [null],
      datetime: [null],
      size: [null],
      pin: ["123"],
    } satisfies Record<string, Json[]>).flatMap(([field, values]) =>
      values.map((value) =>
        refused("strict-things", { ...whole, [field]: value }, field, { name: `${field}: ${value}` }),
      ),
    ),
    creating("things", null,
      { name: "a number that JavaScript cannot hold", body: '{"data":{"float":1e400}}', headers: { "content-type": "application/json" },
        fails: "400 VALIDATION_ERROR float" }),
    refused("strict-things", { string: "abc", integer: 11 }, "text", { name: "all that is wrong is reported",
      details: { errors: expect.arrayContaining(
          Object.keys(whole)
            .filter((field) => field !== "string")
            .map((field) => ({ field, message: expect.any(String) })),
        ),
      },
    }),
  ]);
});

describe("what no caller may set", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    refused("things", { id: 5, string: "x" }, "id"),
    refused("notes", { id: 5, body: "x" }, "id"),
    refused("notes", { id: null, body: "x" }, "id"),
    refused("notes", { id: "x", body: "x" }, "id"),
    refused("things", { created_at: "2026-01-01" }, "created_at"),
    refused("things", { updated_at: "2026-01-01" }, "updated_at"),
    refused("notes", { body: "x", deleted_at: null }, "deleted_at"),
    refused("things", { deleted_at: null }, "deleted_at"),
    refused("things", { nothing: 1 }, "nothing"),
    refused("owners", { user_id: 1, pets: [] }, "pets"),
    refused("things", { constructor: 1 }, "constructor"),
    creating("things", null,
      { name: "__proto__", body: '{"data":{"__proto__":{"string":"x"},"string":"y"}}', headers: { "content-type": "application/json" },
        fails: "400 VALIDATION_ERROR __proto__", rows: { things: [] } }),
  ]);
});

describe("bodies", () => {
  const body = (sent: Json | undefined, field: string): Scenario => ({
    name: `body ${JSON.stringify(sent)}`,
    as: "admin",
    send: "POST /things/create",
    ...(sent !== undefined && { body: sent }),
    fails: `400 VALIDATION_ERROR ${field}`,
  });
  scenarios(service, [
    body(undefined, "data"),
    body({}, "data"),
    body({ data: null }, "data"),
    body({ data: "x" }, "data"),
    body({ data: 1 }, "data"),
    body({ data: {} }, "data"),
    body({ data: [] }, "data"),
    body({ data: { string: "x" }, where: {} }, "where"),
    body({ string: "x" }, "string"),
  ]);
});

describe("keys", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    refused("tasks", { title: "a" }, "title", { given: { tasks: [{ id: 1, title: "a" }] }, name: "a unique value that is taken" }),
    refused("tasks", { title: "b", list: "l", position: 1 }, "list",
      { name: "a composite key that is taken", given: { tasks: [{ id: 1, title: "a", list: "l", position: 1 }] }, rows: { tasks: [{ id: 1 }] } }),
    creating("tasks", { title: "b", list: "l", position: null },
      { name: "null is never a duplicate", given: { tasks: [{ id: 1, title: "a", list: "l" }] }, data: expect.objectContaining({ title: "b" }) }),
    creating("tasks", { title: "a", list: "l", position: 1 },
      { name: "a deleted row blocks no unique value",
        given: { tasks: [{ id: 1, title: "a", list: "l", position: 1, deleted_at: "2026-01-01" }] }, data: expect.objectContaining({ title: "a" }) }),
    refused("notes", { id: uuid, body: "x" }, "id", { given: { notes: [{ id: uuid, body: "y" }] }, name: "an id that is taken" }),
    refused("notes", { id: uuid, body: "x" }, "id",
      { given: { notes: [{ id: uuid, body: "y", deleted_at: "2026-01-01" }] }, name: "an id of a deleted row is taken too" }),
    refused("pets", { name: "a", owner_id: uuid }, "owner_id", { name: "a reference that points nowhere" }),
    refused("things", { twin_id: 99 }, "twin_id", { name: "a reference to the model itself that points nowhere" }),
    creating("pets", { name: "a", owner_id: uuid },
      { name: "a reference that is there", given: { owners: [{ id: uuid, user_id: 1 }] }, rows: { pets: [{ name: "a", owner_id: uuid }] } }),
  ]);
});

test("of concurrent creates of one unique value one succeeds", async () => {
  await service.store({});
  const send = { method: "POST", path: "/tasks/create", body: { data: { title: "same" } } };
  const replies = await Promise.all(Array.from({ length: 12 }, () => service.send(send, "admin")));
  expect(replies.map(({ status }) => status).sort()).toEqual([200, ...Array(11).fill(400)]);
  await expectRows(service, "tasks", [{ title: "same" }]);
});

const wide = await testService({ server: { bodyLimitBytes: 10_000_000, bulkLimit: 5_000 } });

describe("bulk create", () => {
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

  test("inserted_ids follow the order of the records", async () => {
    await service.store({});
    const data = Array.from({ length: 40 }, (_, index) => ({ title: `t${index}` }));
    const { envelope } = await service.send(requestOf("POST /tasks/create", { data }), "admin");
    const rows = await service.query("SELECT id::int, title FROM tasks ORDER BY id");
    expect(rows.map(({ title }) => title)).toEqual(data.map(({ title }) => title));
    expect(envelope.data).toMatchObject({ inserted_ids: rows.map(({ id }) => id) });
  });
});
