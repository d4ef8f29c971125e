import { expect, test } from "vitest";
import type { HookContext } from "#runtime/hooks/index";
import { inRead, unknown } from "../../support/code-in-hooks.ts";
import { firedHooks } from "../../support/scenarios.ts";
import { testService } from "../../support/service.ts";
import { service as fixture } from "../fixture/generated/index.ts";
import { stage } from "../fixture/stage.ts";

/** Models with presets, validators, hooks and checks, as if they were internal: they have no routes. */
const withoutRoutes = new Set(["parcels", "slots", "visits"]);
const [open, internal] = [false, true].map((isInternal) =>
  fixture.models.filter(({ model }) => withoutRoutes.has(model.key) === isInternal),
);
const served = {
  ...fixture,
  models: open ?? [],
  internalModels: [...fixture.internalModels, ...(internal ?? [])],
};
const service = await testService({}, { served });

const row = (fields: object) => expect.objectContaining(fields);
const bad = (details: object) => row({ code: "VALIDATION_ERROR", details: row(details) });

test.each([...withoutRoutes])("%s has no routes", async (name) => {
  expect((await service.send({ method: "GET", path: `/${name}/fetch` }, "admin")).status).toBe(404);
});

// biome-ignore format: one case a line
test.each<readonly [string, (db: HookContext["db"]) => Promise<unknown>, unknown]>([
  ["presets", (db) => db.parcels.create({ label: "a" }), row({ label: "a", sender: 7, code: "made", weight: 3 })],
  ["a value that is given", (db) => db.parcels.create({ label: "a", sender: 8 }), row({ sender: 8 })],
  ["one in a list", (db) => db.visits.create([{ maker: 8 }, {}]), [row({ maker: 8 }), row({ maker: 7 })]],
  ["one that is null", (db) => db.visits.create({ maker: null }), row({ maker: null })],
  ["one of an upsert", (db) => db.parcels.upsert({ label: "a", weight: 1, sender: 8 }), row({ sender: 8, code: "made" })],
  ["presets of an upsert", (db) => db.visits.upsert({ code: "c" }), row({ maker: 7 })],
  ["validators", (db) => db.parcels.create({ label: "far too long" }), bad({ field: "label" })],
  ["of an update", (db) => db.parcels.update({ where: { id: 1 }, data: { label: "far too long" } }), bad({ field: "label" })],
  ["what fills does not name", (db) => db.parcels.create(unknown({})), row({ code: "VALIDATION_ERROR" })],
  ["checks", (db) => db.slots.create({ first: 2, last: 1 }), bad({ check: "in_order" })],
  ["hooks before checks", (db) => db.slots.create({ first: 2, last: 1, shift: 5 }), row({ last: 6 })],
  ["passwords", (db) => db.visits.create({ code: "k1", key: "long enough" }), expect.not.objectContaining({ key: expect.anything() })],
])("of a model without routes hold %s", async (_, call, given) => {
  await service.store({});
  const { value } = await inRead(
    service,
    ({ db }) => {
      const fill = (record: object) => void Object.assign(record, { code: "made", weight: 3 });
      Object.assign(stage.hooks, { before_create: fill, before_upsert: fill });
      return call(db).catch((error: unknown) => error);
    },
    { role: "user", sub: "7" },
  );
  expect(value).toEqual(given);
});

test("its hooks run once for each record", async () => {
  await service.store({});
  let ran: readonly string[] = [];
  await inRead(service, async ({ db }) => {
    const before_create = (record: object) => void Object.assign(record, { weight: 3 });
    Object.assign(stage.hooks, { before_create });
    await db.parcels.create(["a", "b"].map((label) => ({ label, code: label })));
    ran = firedHooks();
  });
  expect(ran).toEqual(["before_fetch", "before_create", "before_create"]);
});
