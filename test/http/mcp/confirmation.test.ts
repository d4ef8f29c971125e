import { expect, test } from "vitest";
import { callOf, connected, notebook, owner } from "./mcp-service.ts";

const titles = async (service: Awaited<ReturnType<typeof notebook>>) =>
  (await service.query("SELECT id FROM notes WHERE deleted_at IS NULL ORDER BY id")).map(({ id }) =>
    Number(id),
  );

const accepted = { action: "accept", content: { confirm: true } } as const;

test("a form names the rows, and an accepted one deletes them", async () => {
  const service = await notebook();
  const asked: string[] = [];
  const client = await connected(service, owner, (message) => {
    asked.push(message);
    return accepted;
  });
  expect(await callOf(client, "notes_delete", { where: { state: "done" } })).toEqual({
    deleted_count: 2,
    deleted_ids: [2, 3],
  });
  expect(asked).toEqual(["Delete 2 rows of notes?"]);
  expect(await titles(service)).toEqual([1, 4, 5]);
  expect(
    await callOf(client, "notes_update", { where: { id: 1 }, data: { weight: 5, more: {} } }),
  ).toMatchObject({
    updated_count: 1,
  });
  expect(asked.at(-1)).toBe("Change weight, more of 1 row of notes?");
  const staff = await connected(service, "staff", () => accepted);
  expect(await callOf(staff, "notes_destroy", { ids: [2, 5] })).toMatchObject({ destroyed_count: 2 });
});

test.each([
  ["declined", { action: "decline" }],
  ["cancelled", { action: "cancel" }],
  ["declined", { action: "accept", content: { confirm: false } }],
] as const)("nothing is written after %s: %j", async (word, answer) => {
  const service = await notebook();
  const client = await connected(service, owner, () => answer);
  expect(await callOf(client, "notes_delete", { ids: [2] })).toMatchObject({
    error: "CONFIRMATION_REQUIRED",
    message: expect.stringContaining(word),
    details: { rows: 1 },
  });
  expect(await titles(service)).toContain(2);
});

test("what the operation would refuse is refused before the question", async () => {
  const service = await notebook();
  const client = await connected(service, owner, () => {
    throw new Error("asked");
  });
  expect(await callOf(client, "notes_delete", { ids: [1] })).toMatchObject({ error: "PERMISSION_DENIED" });
  expect(await callOf(client, "notes_delete", { ids: [4] })).toMatchObject({ error: "PERMISSION_DENIED" });
  expect(await callOf(client, "notes_delete", { ids: [99] })).toMatchObject({ error: "NOT_FOUND" });
  expect(await callOf(client, "notes_update", { where: { id: 1 }, data: { weight: 10 } })).toMatchObject({
    error: "VALIDATION_ERROR",
  });
  expect(await callOf(client, "notes_update", { where: { id: 1 }, data: { tag_id: 77 } })).toMatchObject({
    error: "VALIDATION_ERROR",
  });
  expect(await titles(service)).toEqual([1, 2, 3, 4, 5]);
});

test("if more rows match by then, the form comes again, and nothing is written before", async () => {
  const service = await notebook();
  const asked: string[] = [];
  const client = await connected(service, owner, async (message) => {
    asked.push(message);
    if (asked.length === 1) await service.query("UPDATE notes SET state = 'done' WHERE id = 1");
    return accepted;
  });
  expect(await callOf(client, "notes_delete", { where: { state: "done" } })).toMatchObject({
    deleted_count: 3,
  });
  expect(asked).toEqual(["Delete 2 rows of notes?", "Delete 3 rows of notes?"]);
});

test("the argument confirm does not replace the form", async () => {
  const service = await notebook();
  const client = await connected(service, owner, () => ({ action: "decline" }));
  expect(await callOf(client, "notes_delete", { ids: [2], confirm: true })).toMatchObject({
    error: "CONFIRMATION_REQUIRED",
  });
});

test("clients without forms confirm by argument, which only these tools have", async () => {
  const service = await notebook();
  const client = await connected(service, owner);
  expect(await callOf(client, "notes_delete", { ids: [2] })).toMatchObject({
    error: "CONFIRMATION_REQUIRED",
    details: { rows: 1 },
  });
  expect(await callOf(client, "notes_delete", { ids: [2], confirm: true })).toMatchObject({
    deleted_count: 1,
  });
  expect(await callOf(client, "notes_fetch", { confirm: true })).toMatchObject({
    error: "VALIDATION_ERROR",
    details: { field: "confirm" },
  });
});
