import { describe, expect, test } from "vitest";
import type { Json } from "#vocabulary/json";
import { inRead } from "../../support/code-in-hooks.ts";
import { expectRows, failed, type Scenario, scenarios } from "../../support/scenarios.ts";
import type { Caller } from "../../support/service-token.ts";
import { countedService } from "../../support/watched-database.ts";

const service = await countedService();
const { sent } = service;

const users = [
  { id: 1, handle: "ann" },
  { id: 2, handle: "bob" },
];
const old = "2026-01-01T00:00:00+00:00";
const row = { title: "a", made_by: 1, edited_by: 1, handle: "ann", edited_at: old };
const given = {
  users,
  edited: [
    { id: 1, ...row },
    { id: 2, ...row, deleted_at: old },
    { id: 3, ...row },
  ],
  signed: [
    { id: 1, signer: 1 },
    { id: 2, signer: 2, title: "b", deleted_at: old },
  ],
};
const bob = { role: "user", sub: "2" };
const stamp = expect.stringMatching(/^20\d\d-(?!01-01T00:00:00)/);
const byBob = { made_by: 1, edited_by: 2, handle: "bob", edited_at: stamp };
const byNone = { made_by: 1, edited_by: null, handle: null, edited_at: stamp };
const refused = { fails: "403 PERMISSION_DENIED signer", rows: { signed: given.signed } };

const writing = (send: string, body: Json, more: Partial<Scenario>): Scenario => ({
  given,
  as: bob,
  send,
  body,
  ...more,
});
const update = (data: Json, more: Partial<Scenario>) =>
  writing("PUT /edited/update", { where: { id: 1 }, data }, more);
const mutation = (text: string, more: Partial<Scenario>) =>
  writing("POST /graphql", { query: `mutation { ${text} }` }, more);

describe("a preset on write", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    writing("POST /edited/create", { data: { title: "n" } },
      { name: "is set on create", rows: { edited: [row, row, row, { ...byBob, made_by: 2 }] } }),
    update({ title: "b" }, { name: "is set on update; one on create is not", rows: { edited: [{ title: "b", ...byBob }, row, row] } }),
    writing("PUT /edited/update", { data: [{ id: 1, title: "b" }, { id: 3, title: "c" }] },
      { name: "is set in each record of a bulk", rows: { edited: [{ title: "b", ...byBob }, row, { title: "c", ...byBob }] } }),
    writing("PUT /edited/upsert", { data: { id: 1, title: "b" } },
      { name: "is set on an upsert by id", rows: { edited: [{ title: "b", ...byBob }, row, row] } }),
    writing("PUT /signed/upsert", { data: { title: "n" } },
      { name: "is the key of an upsert that changes a row", as: { role: "user", sub: "1" }, data: { id: 1 }, rows: { signed: [{ signer: 1, title: "n" }, {}] } }),
    writing("PUT /signed/upsert", { data: { title: "n" } },
      { name: "is the key of an upsert that adds a row", rows: { signed: [{}, {}, { signer: 2, title: "n" }] } }),
    writing("PATCH /edited/restore", { where: { id: 2 }, data: { deleted_at: null } },
      { name: "is set on restore", rows: { edited: [row, { ...byBob, deleted_at: null }, row] } }),
    mutation('updateEdited(where: {id: 1}, input: {title: "b"}) { edited_by handle }',
      { name: "is set over GraphQL", data: { updateEdited: [{ edited_by: 2, handle: "bob" }] }, rows: { edited: [{ title: "b", ...byBob }, row, row] } }),
    update({ title: "b" }, { name: "replaces the value by NULL for a guest", as: null, rows: { edited: [{ title: "b", ...byNone }, row, row] } }),
    writing("PATCH /edited/restore", { where: { id: 2 }, data: { deleted_at: null } },
      { name: "does so on restore", as: null, rows: { edited: [row, byNone, row] } }),
    writing("PUT /signed/update", { where: { id: 1 }, data: { title: "n" } },
      { name: "without a value for a required field is 403 on update", as: null, ...refused }),
    writing("PATCH /signed/restore", { where: { id: 2 }, data: { deleted_at: null } }, { name: "and on restore", as: null, ...refused }),
    writing("PUT /signed/upsert", { data: { id: 1, title: "n" } }, { name: "and on an upsert of a row", as: null, ...refused }),
    writing("PUT /signed/update", { data: [{ id: 1, title: "n" }] },
      { name: "and in each record of a bulk", as: null, fails: "400 VALIDATION_ERROR",
        details: { failed_records: [failed(0, "PERMISSION_DENIED", "signer")] }, rows: { signed: given.signed } }),
    update({ edited_at: "2026-02-01" }, { name: "closes its field", fails: "403 PERMISSION_DENIED edited_at", rows: { edited: given.edited } }),
    mutation('updateEdited(where: {id: 1}, input: {edited_at: "2026-02-01"}) { id }',
      { name: "closes its field over GraphQL", fails: "403 PERMISSION_DENIED edited_at" }),
    update({ edited_by: 7 }, { name: "gives way to a value that the role can send", as: { role: "admin", sub: "2" },
      rows: { edited: [{ ...byBob, edited_by: 7 }, row, row] } }),
    update({ edited_by: null }, { name: "gives way to null", as: { role: "admin", sub: "2" }, rows: { edited: [{ ...byBob, edited_by: null }, row, row] } }),
    update({ title: "b" }, { name: "is in the row that the condition judges", given: { users, edited: [{ id: 1, ...row, edited_by: null }] },
      as: { role: "first", sub: "2" }, fails: "403 PERMISSION_DENIED" }),
  ]);
});

describe("the before-hook of a change", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    update({ title: "b" }, { name: "sees the preset and can change it",
      plays: { before_update: (value) => {
        expect(value.data).toMatchObject({ edited_by: 2, handle: "bob", edited_at: stamp });
        Object.assign(value.data, { edited_by: 9 });
      } },
      rows: { edited: [{ ...byBob, edited_by: 9 }, row, row] } }),
    update({ title: "b" }, { name: "can remove it, and the row keeps its value",
      plays: { before_update: (value) => void Reflect.deleteProperty(value.data, "edited_by") },
      rows: { edited: [{ ...byBob, edited_by: 1 }, row, row] } }),
    update({ title: "b" }, { name: "cannot make a required one NULL",
      plays: { before_update: (value) => void Object.assign(value.data, { edited_at: null }) },
      fails: "403 PERMISSION_DENIED edited_at", rows: { edited: given.edited } }),
    writing("PATCH /edited/restore", { where: { id: 2 }, data: { deleted_at: null } }, { name: "sees it on restore",
      plays: { before_restore: (value) => void Object.assign(value.data, { edited_by: 9 }) },
      rows: { edited: [row, { ...byBob, edited_by: 9 }, row] } }),
  ]);
});

test("as the caller", async () => {
  await service.store(given);
  await inRead(
    service,
    ({ db }) =>
      db.as("caller")["edited"]?.update({ where: { id: 1 }, data: { title: "b" } }) ?? Promise.reject(),
    bob,
  );
  await expectRows(service, "edited", [{ title: "b", ...byBob }, row, row]);
});

/** How many statements and transactions a write takes. */
async function cost(path: string, body: Json, as: Caller = bob): Promise<[number, number]> {
  await service.store(given);
  sent.statements.length = 0;
  sent.transactions = 0;
  const method = path.endsWith("restore") ? "PATCH" : "PUT";
  expect((await service.send({ method, path, body }, as)).status).toBe(200);
  return [sent.statements.length, sent.transactions];
}

test("the caller's row is one statement more; other presets are none", async () => {
  expect(await cost("/edited/update", { where: { id: 1 }, data: { title: "b" } })).toEqual([2, 1]);
  expect(await cost("/edited/update", { data: [1, 3].map((id) => ({ id, title: "b" })) })).toEqual([2, 1]);
  expect(await cost("/edited/restore", { where: { id: 2 }, data: { deleted_at: null } })).toEqual([2, 1]);
  const signed = { where: { id: 1 }, data: { title: "b" } };
  expect(await cost("/signed/update", signed, { role: "user", sub: "1" })).toEqual([1, 0]);
});
