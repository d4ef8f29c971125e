import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { requestOf } from "../support/request.ts";
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
        requestOf("DELETE /tasks/delete", index % 2 === 0 ? { ids: [1] } : { query: { id: 1 } }),
        "admin",
      ),
    ),
  );
  expect(replies.map(outcome).sort()).toEqual(["200", ...Array(9).fill("404 NOT_FOUND")]);
  await expectRows(service, "tasks", [dead, live, live, gone]);
});

const destroyable = {
  tasks: [
    { id: 1, title: "a", user: 7 },
    { id: 2, title: "b", user: 8 },
    { id: 3, title: "gone", user: 7, deleted_at: "2026-01-01" },
  ],
};

const destroying = (body: Json | undefined, more: Partial<Scenario> = {}): Scenario => ({
  given: destroyable,
  as: "admin",
  send: "DELETE /tasks/destroy",
  ...(body !== undefined && { body }),
  ...more,
});
const destroyed = (...ids: (number | string)[]) => ({ destroyed_count: ids.length, destroyed_ids: ids });
const all = { tasks: [{ id: 1 }, { id: 2 }, { id: 3 }] };

describe("rows are removed for good", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    destroying({ query: { id: 1 } }, { name: "a live row", data: destroyed(1), rows: { tasks: [{ id: 2 }, { id: 3 }] } }),
    destroying({ query: { id: 3 } }, { name: "a deleted row", data: destroyed(3), rows: { tasks: [{ id: 1 }, { id: 2 }] } }),
    destroying({ where: { user: 7 } }, { name: "both, by where", data: destroyed(1, 3), rows: { tasks: [{ id: 2 }] } }),
    destroying({ query: { user: 7, deleted_at__is_null: true } }, { name: "a deleted_at filter is stripped", data: destroyed(1, 3) }),
    destroying({ ids: [3, 2, 3] }, { name: "by ids", data: destroyed(2, 3), rows: { tasks: [{ id: 1 }] } }),
    destroying(undefined, { name: "by the query string", send: "DELETE /tasks/destroy?id__in=1,2", data: destroyed(1, 2) }),
    destroying({ query: { id: 1 } },
      { name: "no soft delete", send: "DELETE /docs/destroy", given: { docs: [{ id: 1, code: "a" }] }, data: destroyed(1), rows: { docs: [] } }),
    destroying({ query: { id: a } },
      { name: "set_null empties what refers to it", send: "DELETE /owners/destroy",
        given: { owners: [{ id: a, user_id: 1 }], things: [{ id: 1, owner_id: a }] }, data: destroyed(a),
        rows: { things: [{ owner_id: null }], owners: [] } }),
    destroying({ query: { id: a } },
      { name: "restrict refuses", send: "DELETE /owners/destroy",
        given: { owners: [{ id: a, user_id: 1 }], pets: [{ id: 1, name: "p", owner_id: a }] }, fails: "400 VALIDATION_ERROR",
        rows: { owners: [{ id: a }] } }),
  ]);
});

describe("nothing is removed", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    destroying({ query: { id: 9 } }, { name: "no such row", fails: "404 NOT_FOUND", rows: all }),
    destroying({ ids: [1, 9] }, { name: "a missing id", fails: "404 NOT_FOUND", rows: all }),
    destroying({ ids: [1, 2] }, { name: "an id out of reach", as: { role: "user", sub: "7" }, fails: "403 PERMISSION_DENIED", rows: all }),
    destroying({ query: { id: 2 } }, { name: "a row out of reach", as: { role: "user", sub: "7" }, fails: "403 PERMISSION_DENIED", rows: all }),
    destroying({ query: { id: 1 } }, { name: "no rule", as: "staff", fails: "403 PERMISSION_DENIED", rows: all }),
    ...([undefined, {}, { query: {} }, { query: { deleted_at: 1 } }] as const).map((body) =>
      destroying(body, { name: `body ${JSON.stringify(body)}`,
        fails: "400 VALIDATION_ERROR query",
        rows: all,
      }),
    ),
    destroying({ ids: [] }, { fails: "400 VALIDATION_ERROR ids", rows: all }),
    destroying({ ids: Array.from({ length: 51 }, (_, id) => id) }, { name: "too many ids", fails: "400 VALIDATION_ERROR ids", rows: all }),
    destroying({ query: { id: 1 }, ids: [1] }, { fails: "400 VALIDATION_ERROR ids", rows: all }),
    destroying(undefined, { send: "DELETE /tasks/destroy?deleted_at=1", fails: "400 VALIDATION_ERROR query", rows: all }),
  ]);
});

const soft = { deleted_at: "2026-01-01T00:00:00+00:00" };
const restorable = {
  tasks: [
    { id: 1, title: "a", user: 7, ...soft, updated_at: "2020-01-01" },
    { id: 2, title: "b", user: 7, ...soft, status: "done" },
    { id: 3, title: "c", user: 8, ...soft },
    { id: 4, title: "d", user: 7 },
  ],
};
const unrestored = { tasks: [soft, soft, soft, { deleted_at: null }] };

const restoring = (where: Json, data: Json, more: Partial<Scenario> = {}): Scenario => ({
  given: restorable,
  as: "admin",
  send: "PATCH /tasks/restore",
  body: { where, data },
  ...more,
});
const plain = { deleted_at: null };
const restored = (...ids: number[]) => ({ restored_count: ids.length, restored_ids: ids });

describe("what comes back", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    restoring({ id: 1 }, plain,
      { name: "one row", data: restored(1),
        rows: { tasks: [{ deleted_at: null, title: "a", updated_at: expect.not.stringContaining("2020") }, soft, soft, {}] } }),
    restoring({ user: 7 }, plain, { name: "only deleted rows are found", data: restored(1, 2) }),
    restoring({ id: 1 }, { project: "p", ...plain }, { name: "with changes", rows: { tasks: [{ deleted_at: null, project: "p" }, soft, soft, {}] } }),
    restoring({ id: 1 }, { project: "p" }, { name: "deleted_at need not be sent", data: restored(1) }),
    restoring({ id: 1, deleted_at: "x" }, plain, { name: "a deleted_at filter is stripped", data: restored(1) }),
  ]);
});

describe("nothing comes back", () => {
  const refused = (body: Json | undefined, field: string): Scenario => ({
    name: `body ${JSON.stringify(body)}`,
    given: restorable,
    as: "admin",
    send: "PATCH /tasks/restore",
    ...(body !== undefined && { body }),
    fails: `400 VALIDATION_ERROR ${field}`,
    rows: unrestored,
  });
  const where = { id: 1 };
  // biome-ignore format: one case a line
  scenarios(service, [
    restoring({ id: 4 }, plain, { name: "a live row", fails: "404 NOT_FOUND", rows: unrestored }),
    restoring({ id: 9 }, plain, { name: "no such row", fails: "404 NOT_FOUND", rows: unrestored }),
    refused(undefined, "data"),
    refused({ where }, "data"),
    refused({ where, data: {} }, "data"),
    refused({ where, data: null }, "data"),
    refused({ data: plain }, "where"),
    refused({ where: {}, data: plain }, "where"),
    refused({ where: { deleted_at__is_not_null: 1 }, data: plain }, "where"),
    refused({ where: { nothing: 1 }, data: plain }, "nothing"),
    refused({ where, data: { deleted_at: "2026-01-01" } }, "deleted_at"),
    refused({ where, data: { deleted_at: false } }, "deleted_at"),
    refused({ where, data: { ...plain, id: 5 } }, "id"),
    refused({ where, data: { ...plain, updated_at: "2026-01-01" } }, "updated_at"),
    refused({ where, data: { nothing: 1 } }, "nothing"),
    refused({ where, data: { user: "7" } }, "user"),
    refused({ where, data: [plain] }, "data"),
    refused({ where, data: plain, ids: [1] }, "ids"),
    restoring({ id: 1 }, plain,
      { name: "a unique value that a live row has by now", given: { tasks: [...restorable.tasks, { id: 5, title: "a" }] },
        fails: "400 VALIDATION_ERROR title", rows: { tasks: [soft, soft, soft, {}, {}] } }),
    restoring({ id: 1 }, plain,
      { name: "a composite key that a live row has by now",
        given: { tasks: [{ id: 1, title: "a", list: "l", position: 1, ...soft }, { id: 5, title: "e", list: "l", position: 1 }] },
        fails: "400 VALIDATION_ERROR list" }),
    restoring({ title: "same" }, plain,
      { name: "two rows with one unique value", given: { tasks: [1, 2].map((id) => ({ id, title: "same", ...soft })) },
        fails: "400 VALIDATION_ERROR title", rows: { tasks: [soft, soft] } }),
  ]);
});

describe("a model without soft delete answers 404 to everyone", () => {
  scenarios(
    service,
    [null, "admin", "user"].flatMap((as) =>
      [{ where: { id: 1 }, data: plain }, {}].map((body) => ({
        name: `${as} ${JSON.stringify(body)}`,
        given: { docs: [{ id: 1, code: "a" }] },
        as,
        send: "PATCH /docs/restore",
        body,
        fails: "404 NOT_FOUND",
      })),
    ),
  );
});

describe("rows out of reach", () => {
  const as = { role: "user", sub: "7" };
  // biome-ignore format: one case a line
  scenarios(service, [
    restoring({ id: 1 }, plain, { as, name: "within reach", data: restored(1) }),
    restoring({ id: 3 }, plain, { as, name: "another's row", fails: "403 PERMISSION_DENIED", rows: unrestored }),
    restoring({ id: 2 }, plain, { as, name: "a row that the condition shuts out", fails: "403 PERMISSION_DENIED", rows: unrestored }),
    restoring({ id: 2 }, { status: "open" }, { as, name: "before", fails: "403 PERMISSION_DENIED", rows: unrestored }),
    restoring({ id: 1 }, { status: "done" }, { as, name: "and after", fails: "403 PERMISSION_DENIED", rows: unrestored }),
    restoring({ user__gt: 0 }, plain,
      { as, name: "a filter finds the rows within reach", data: restored(1), rows: { tasks: [{ deleted_at: null }, soft, soft, {}] } }),
    restoring({ id: 1 }, plain, { as: "staff", name: "no rule", fails: "403 PERMISSION_DENIED", rows: unrestored }),
    restoring({ id: 1 }, { salary: 1 },
      { as: "staff", send: "PATCH /people/restore", name: "a field that the role may not write", fails: "403 PERMISSION_DENIED salary" }),
  ]);
});

test("of concurrent restores of one unique value one succeeds", async () => {
  await service.store({ tasks: [1, 2, 3, 4, 5, 6].map((id) => ({ id, title: "same", ...soft })) });
  const replies = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((id) =>
      service.send(requestOf("PATCH /tasks/restore", { where: { id }, data: plain }), "admin"),
    ),
  );
  expect(replies.map(outcome).sort()).toEqual(["200", ...Array(5).fill("400 VALIDATION_ERROR title")]);
});
