import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { expectRows, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

const uuid = "1a000000-0000-4000-8000-000000000001";
const caller = { role: "user", sub: "7" };
const given = {
  docs: [
    { id: 1, code: "a", folder: "f", place: 1, author: 7, draft: true },
    { id: 2, code: "b", folder: "f", place: 2, author: 8, draft: false },
  ],
};

const upserting = (model: string, data: Json, more: Partial<Scenario> = {}): Scenario => ({
  as: "admin",
  send: `PUT /${model}/upsert`,
  body: { data },
  ...more,
});
const own = (data: Json, more: Partial<Scenario> = {}) => upserting("docs", data, { given, ...more });

describe("insert or update", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    own({ code: "c", author: 9 },
      { name: "a new key inserts, with defaults", data: { id: expect.any(Number) },
        rows: { docs: [{ id: 1 }, { id: 2 }, { code: "c", author: 9, draft: true, folder: null }] } }),
    own({ code: "b", author: 9 },
      { name: "a known key updates what was sent and resets nothing", data: { id: 2 },
        rows: { docs: [{ id: 1 }, { code: "b", folder: "f", place: 2, author: 9, draft: false }] } }),
    own({ code: "b", folder: null }, { name: "null is sent too", data: { id: 2 }, rows: { docs: [{}, { folder: null, place: 2 }] } }),
    own({ id: 1, code: "z" },
      { name: "the primary key goes before unique fields", data: { id: 1 }, rows: { docs: [{ id: 1, code: "z", folder: "f" }, { code: "b" }] } }),
    own({ id: 9, code: "z" }, { name: "an unknown integer id", fails: "404 NOT_FOUND", rows: { docs: [{ code: "a" }, { code: "b" }] } }),
    own({ code: "a", folder: "f", place: 2 },
      { name: "a unique field goes before a composite key, which then collides", fails: "400 VALIDATION_ERROR folder",
        rows: { docs: [{ place: 1 }, { place: 2 }] } }),
    own({ id: 1, code: "b" }, { name: "by id, another key collides", fails: "400 VALIDATION_ERROR code" }),
    upserting("defaults", { name: "n" },
      { name: "on an existing row no default is set", given: { defaults: [{ id: 1, name: "n", integer: 1, text: "kept" }] }, data: { id: 1 },
        rows: { defaults: [{ name: "n", integer: 1, text: "kept" }] } }),
    upserting("tasks", { title: "x", list: "l", position: 1 },
      { name: "a unique field decides, not the composite key", given: { tasks: [{ id: 1, title: "y", list: "l", position: 1 }] },
        fails: "400 VALIDATION_ERROR list" }),
    upserting("things", { id: 1, string: "x" },
      { name: "by id where there is no other key", given: { things: [{ id: 1 }] }, data: { id: 1 }, rows: { things: [{ string: "x" }] } }),
    upserting("notes", { id: uuid, body: "x" }, { name: "a uuid id that is new", data: { id: uuid }, rows: { notes: [{ id: uuid, body: "x" }] } }),
    upserting("notes", { id: uuid, body: "x" },
      { name: "a uuid id that is there", given: { notes: [{ id: uuid, body: "y", code: "kept" }] }, data: { id: uuid },
        rows: { notes: [{ body: "x", code: "kept" }] } }),
    upserting("notes", { id: uuid, body: "x" },
      { name: "a uuid id of a deleted row", given: { notes: [{ id: uuid, body: "y", deleted_at: "2026-01-01" }] },
        fails: "400 VALIDATION_ERROR id", rows: { notes: [{ body: "y" }] } }),
    upserting("notes", { code: "c", body: "x" },
      { name: "a unique value of a deleted row is free", given: { notes: [{ id: uuid, code: "c", body: "y", deleted_at: "2026-01-01" }] },
        data: { id: expect.not.stringContaining(uuid) } }),
    upserting("people", { name: "p", salary: 5, secret: "pw" },
      { name: "a password is hashed", data: { id: expect.any(Number) }, rows: { people: [{ secret: expect.stringMatching(/^\$2/) }] } }),
    upserting("tasks", { id: 4, title: "x" },
      { name: "a deleted row by its integer id", given: { tasks: [{ id: 4, title: "y", deleted_at: "2026-01-01" }] }, fails: "404 NOT_FOUND" }),
  ]);
});

describe("what it takes", () => {
  const refused = (data: Json, field: string, model = "docs"): Scenario =>
    upserting(model, data, { name: JSON.stringify(data), given, fails: `400 VALIDATION_ERROR ${field}` });
  // biome-ignore format: one case a line
  scenarios(service, [
    refused({ folder: "f", place: 1 }, "code"),
    refused({ id: 1 }, "code"),
    refused({ code: "a", draft: null }, "draft"),
    refused({ code: "a", place: "1" }, "place"),
    refused({ code: "a", nothing: 1 }, "nothing"),
    refused({ code: "a", created_at: "2026-01-01" }, "created_at"),
    refused({ code: "a", updated_at: "2026-01-01" }, "updated_at"),
    refused({ body: "x", code: "a", deleted_at: null }, "deleted_at", "notes"),
    refused({ id: "1", code: "a" }, "id"),
    refused({ id: 1.5, code: "a" }, "id"),
    refused({ id: null, code: "a" }, "id"),
    refused({ id: 5, body: "x" }, "id", "notes"),
    refused({ body: "x" }, "data", "notes"),
    refused({ body: "x", code: null }, "data", "notes"),
    refused({ string: "x" }, "data", "things"),
    refused({}, "data"),
    refused([{ code: "a" }], "data"),
    refused(null, "data"),
    upserting("docs", null, { name: "no body", body: {}, fails: "400 VALIDATION_ERROR data" }),
    upserting("docs", null, { name: "where", body: { data: { code: "a" }, where: { id: 1 } }, fails: "400 VALIDATION_ERROR where" }),
    refused({ name: "x", owner_id: uuid }, "owner_id", "pets"),
  ]);
});

describe("access without an entry of its own: create and update", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    own({ code: "c" }, { name: "only create", as: "writer", fails: "403 PERMISSION_DENIED", rows: { docs: [{}, {}] } }),
    own({ code: "a" }, { name: "only update", as: "editor", fails: "403 PERMISSION_DENIED" }),
    own({ code: "a" }, { name: "neither", as: null, fails: "403 PERMISSION_DENIED" }),
    own({ code: "c", author: 7, draft: false }, { name: "an insert needs only the create rules", as: caller, data: { id: expect.any(Number) } }),
    own({ code: "c", author: 8 }, { name: "and must satisfy them", as: caller, fails: "403 PERMISSION_DENIED", rows: { docs: [{}, {}] } }),
    own({ code: "c" }, { name: "a row without the field does not", as: caller, fails: "403 PERMISSION_DENIED", rows: { docs: [{}, {}] } }),
    own({ code: "a", place: 5 }, { name: "an update needs only the update rules", as: caller, data: { id: 1 }, rows: { docs: [{ place: 5 }, {}] } }),
    own({ code: "b", author: 7 }, { name: "before", as: caller, fails: "403 PERMISSION_DENIED", rows: { docs: [{}, { author: 8 }] } }),
    own({ code: "a", draft: false }, { name: "and after", as: caller, fails: "403 PERMISSION_DENIED", rows: { docs: [{ draft: true }, {}] } }),
    own({ id: 2, code: "b", place: 9 }, { name: "by id as well", as: caller, fails: "403 PERMISSION_DENIED", rows: { docs: [{}, { place: 2 }] } }),
  ]);
});

describe("an access entry for upsert replaces the other rules", () => {
  const tasks = {
    tasks: [
      { id: 1, title: "a", user: 7 },
      { id: 2, title: "b", user: 8 },
      { id: 3, title: "c", user: 7, status: "done" },
    ],
  };
  const task = (data: Json, more: Partial<Scenario>) =>
    upserting("tasks", data, { given: tasks, as: caller, ...more });
  // biome-ignore format: one case a line
  scenarios(service, [
    task({ title: "d", user: 7 }, { name: "insert", data: { id: expect.any(Number) } }),
    task({ title: "d", user: 8 }, { name: "insert out of reach", fails: "403 PERMISSION_DENIED", rows: { tasks: [{}, {}, {}] } }),
    task({ title: "d", user: 7, status: "done" }, { name: "insert of a row that the condition shuts out", fails: "403 PERMISSION_DENIED" }),
    task({ title: "a", project: "p" }, { name: "update", data: { id: 1 }, rows: { tasks: [{ project: "p", user: 7 }, {}, {}] } }),
    task({ title: "b", user: 7 }, { name: "update of another's row", fails: "403 PERMISSION_DENIED", rows: { tasks: [{}, { user: 8 }, {}] } }),
    task({ title: "a", user: 8 }, { name: "update that gives a row away", fails: "403 PERMISSION_DENIED", rows: { tasks: [{ user: 7 }, {}, {}] } }),
    task({ title: "c", user: 7, status: "open" },
      { name: "update of a row that is out of reach before", fails: "403 PERMISSION_DENIED", rows: { tasks: [{}, {}, { status: "done" }] } }),
    task({ title: "d" }, { name: "create rules do not help", as: "staff", fails: "403 PERMISSION_DENIED" }),
    upserting("people", { name: "p", salary: 1 }, { name: "fields that the role may not write", as: "staff", fails: "403 PERMISSION_DENIED salary" }),
  ]);
});

describe("at once", () => {
  const race = async (
    path: string,
    count: number,
    data: (index: number) => Json,
    as: Parameters<typeof service.send>[1],
  ) => {
    const replies = await Promise.all(
      Array.from({ length: count }, (_, index) =>
        service.send({ method: "PUT", path, body: { data: data(index) } }, as),
      ),
    );
    return replies.map(({ status, envelope }) => [status, envelope.data]);
  };

  test.each([
    ["without a condition", "admin"],
    ["with a condition", caller],
  ] as const)("20 upserts of one key make one row, %s", async (_, as) => {
    await service.store({});
    const answers = await race("/docs/upsert", 20, (place) => ({ code: "same", author: 7, place }), as);
    const [row] = await service.query("SELECT id::int FROM docs");
    expect(answers).toEqual(Array(20).fill([200, { id: row?.["id"] }]));
    await expectRows(service, "docs", [{ code: "same" }]);
  });

  test("20 upserts of one uuid make one row", async () => {
    await service.store({});
    const answers = await race("/notes/upsert", 20, (n) => ({ id: uuid, body: `${n}` }), "admin");
    expect(answers).toEqual(Array(20).fill([200, { id: uuid }]));
    await expectRows(service, "notes", [{ id: uuid }]);
  });

  test("a row that another caller may not touch is never theirs", async () => {
    await service.store({});
    const both = await Promise.all(
      ["7", "8"].flatMap((sub) =>
        Array.from({ length: 8 }, () =>
          service.send(
            { method: "PUT", path: "/docs/upsert", body: { data: { code: "same", author: Number(sub) } } },
            { role: "user", sub },
          ),
        ),
      ),
    );
    const statuses = both.map(({ status }) => status);
    const halves = [statuses.slice(0, 8), statuses.slice(8)].sort();
    expect(halves).toEqual([Array(8).fill(200), Array(8).fill(403)]);
  });
});
