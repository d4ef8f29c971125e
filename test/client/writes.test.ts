import { beforeEach, expect, test } from "vitest";
import { fixtureClient } from "../support/client.ts";
import { frontOf } from "../support/front.ts";
import { testService } from "../support/service.ts";
import { tokenOf } from "../support/service-token.ts";

const service = await testService();
const front = await frontOf(service.origin);
const { createClient } = await fixtureClient();
const client = createClient({ url: front.url, token: tokenOf("admin") });
const { folders, notes } = client;
const [first, second] = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];

beforeEach(async () => {
  await service.store({
    folders: [
      { id: 1, name: "one", size: 1 },
      { id: 2, name: "two" },
    ],
    notes: [
      { id: first, body: "a", deleted_at: "2026-01-01" },
      { id: second, body: "b" },
    ],
  });
  front.reset();
});

const last = () => {
  const { method, path, body } = front.arrived.at(-1) ?? { method: "", path: "", body: "null" };
  return [`${method} ${path}`, JSON.parse(body)];
};

test("create gives the row", async () => {
  const row = await folders.create({ name: "three" });
  expect(row).toMatchObject({ name: "three", size: null });
  expect(last()).toEqual(["POST /folders/create", { data: { name: "three" } }]);
  expect(front.arrived[0]?.headers["content-type"]).toBe("application/json");
});

test("createMany gives the report", async () => {
  const report = await folders.createMany([{ name: "three" }, { name: "one" }]);
  expect(report).toMatchObject({
    inserted_count: 1,
    failed_count: 1,
    failed_records: [{ index: 1, field: "name" }],
  });
});

test("update changes the rows of its filters", async () => {
  const change = { where: { name: { in: ["one"] }, size: null }, data: { size: 3 } };
  await expect(folders.update(change)).rejects.toMatchObject({ error: "NOT_FOUND" });
  expect(last()).toEqual([
    "PUT /folders/update",
    { where: { name__in: ["one"], size__is_null: true }, data: { size: 3 } },
  ]);
  expect(await folders.update({ where: { size: { is_null: false } }, data: { size: null } })).toEqual({
    updated_count: 1,
    updated_ids: [1],
  });
});

test("updateMany gives the report", async () => {
  const report = await folders.updateMany([
    { id: 1, size: 7 },
    { id: 99, size: 7 },
  ]);
  expect(report).toMatchObject({ updated_ids: [1], failed_count: 1 });
});

test("upsert gives the id", async () => {
  expect(await folders.upsert({ name: "one", size: 9 })).toEqual({ id: 1 });
});

test("get gives a row or null", async () => {
  expect(await folders.get(2)).toMatchObject({ id: 2, name: "two" });
  expect(await folders.get(99)).toBeNull();
  expect(front.lines()).toEqual(["GET /folders/fetch?id=2&limit=1", "GET /folders/fetch?id=99&limit=1"]);
});

test("count and exists give the figure", async () => {
  expect(await folders.count()).toBe(2);
  expect(await folders.count({ size: { gt: 0 } })).toBe(1);
  expect(await folders.exists({ name: "two" })).toBe(true);
  expect(await folders.exists({ name: { like: "x%" } })).toBe(false);
});

test("delete and destroy take filters or ids", async () => {
  expect(await notes.delete({ ids: [second] })).toEqual({ deleted_count: 1, deleted_ids: [second] });
  expect(last()).toEqual(["DELETE /notes/delete", { ids: [second] }]);
  expect(await folders.destroy({ where: { id: { lt: 2 } } })).toEqual({
    destroyed_count: 1,
    destroyed_ids: [1],
  });
  expect(last()).toEqual(["DELETE /folders/destroy", { where: { id__lt: 2 } }]);
});

test("restore brings rows back, with other values", async () => {
  const restored = { restored_count: 1, restored_ids: [first] };
  expect(await notes.restore({ where: { id: first } })).toEqual(restored);
  expect(last()).toEqual(["PATCH /notes/restore", { where: { id: first }, data: { deleted_at: null } }]);
  await notes.delete({ ids: [first] });
  expect(await notes.restore({ where: { id: first }, data: { body: "c" } })).toEqual(restored);
  expect(await notes.get(first)).toMatchObject({ body: "c", deleted_at: null });
});

test("a model has only the methods of its operations", () => {
  expect(Object.keys(folders)).not.toContain("restore");
  expect(Object.keys(client.books)).toContain("restore");
  expect(client.models["folders"]).toBe(folders);
});
