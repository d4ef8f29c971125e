import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { outcome, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";

const service = await testService();

const gone = { deleted_at: "2026-01-01T00:00:00+00:00" };
const given = {
  tasks: [
    { id: 1, title: "a", user: 7, ...gone, updated_at: "2020-01-01" },
    { id: 2, title: "b", user: 7, ...gone, status: "done" },
    { id: 3, title: "c", user: 8, ...gone },
    { id: 4, title: "d", user: 7 },
  ],
};
const untouched = { tasks: [gone, gone, gone, { deleted_at: null }] };

const restoring = (where: Json, data: Json, more: Partial<Scenario> = {}): Scenario => ({
  given,
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
        rows: { tasks: [{ deleted_at: null, title: "a", updated_at: expect.not.stringContaining("2020") }, gone, gone, {}] } }),
    restoring({ user: 7 }, plain, { name: "deleted rows alone are seen", data: restored(1, 2) }),
    restoring({ id: 1 }, { project: "p", ...plain }, { name: "with changes", rows: { tasks: [{ deleted_at: null, project: "p" }, gone, gone, {}] } }),
    restoring({ id: 1 }, { project: "p" }, { name: "deleted_at need not be sent", data: restored(1) }),
    restoring({ id: 1, deleted_at: "x" }, plain, { name: "a deleted_at filter is stripped", data: restored(1) }),
  ]);
});

describe("nothing comes back", () => {
  const refused = (body: Json | undefined, field: string): Scenario => ({
    name: `body ${JSON.stringify(body)}`,
    given,
    as: "admin",
    send: "PATCH /tasks/restore",
    ...(body !== undefined && { body }),
    fails: `400 VALIDATION_ERROR ${field}`,
    rows: untouched,
  });
  const where = { id: 1 };
  // biome-ignore format: one case a line
  scenarios(service, [
    restoring({ id: 4 }, plain, { name: "a live row", fails: "404 NOT_FOUND", rows: untouched }),
    restoring({ id: 9 }, plain, { name: "no such row", fails: "404 NOT_FOUND", rows: untouched }),
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
      { name: "a unique value that a live row has by now", given: { tasks: [...given.tasks, { id: 5, title: "a" }] },
        fails: "400 VALIDATION_ERROR title", rows: { tasks: [gone, gone, gone, {}, {}] } }),
    restoring({ id: 1 }, plain,
      { name: "a composite key that a live row has by now",
        given: { tasks: [{ id: 1, title: "a", list: "l", position: 1, ...gone }, { id: 5, title: "e", list: "l", position: 1 }] },
        fails: "400 VALIDATION_ERROR list" }),
    restoring({ title: "same" }, plain,
      { name: "two rows with one unique value", given: { tasks: [1, 2].map((id) => ({ id, title: "same", ...gone })) },
        fails: "400 VALIDATION_ERROR title", rows: { tasks: [gone, gone] } }),
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
    restoring({ id: 3 }, plain, { as, name: "another's row", fails: "403 PERMISSION_DENIED", rows: untouched }),
    restoring({ id: 2 }, plain, { as, name: "a row that the condition shuts out", fails: "403 PERMISSION_DENIED", rows: untouched }),
    restoring({ id: 2 }, { status: "open" }, { as, name: "before", fails: "403 PERMISSION_DENIED", rows: untouched }),
    restoring({ id: 1 }, { status: "done" }, { as, name: "and after", fails: "403 PERMISSION_DENIED", rows: untouched }),
    restoring({ user__gt: 0 }, plain,
      { as, name: "a filter finds the rows within reach", data: restored(1), rows: { tasks: [{ deleted_at: null }, gone, gone, {}] } }),
    restoring({ id: 1 }, plain, { as: "staff", name: "no rule", fails: "403 PERMISSION_DENIED", rows: untouched }),
    restoring({ id: 1 }, { salary: 1 },
      { as: "staff", send: "PATCH /people/restore", name: "a field that the role may not write", fails: "403 PERMISSION_DENIED salary" }),
  ]);
});

test("of concurrent restores of one unique value one succeeds", async () => {
  await service.store({ tasks: [1, 2, 3, 4, 5, 6].map((id) => ({ id, title: "same", ...gone })) });
  const replies = await Promise.all(
    [1, 2, 3, 4, 5, 6].map((id) =>
      service.send(
        { method: "PATCH", path: "/tasks/restore", body: { where: { id }, data: plain } },
        "admin",
      ),
    ),
  );
  expect(replies.map(outcome).sort()).toEqual(["200", ...Array(5).fill("400 VALIDATION_ERROR title")]);
});
