import { describe, expect, test } from "vitest";
import type { HookContext } from "#runtime/hooks/index";
import type { Json } from "#vocabulary/json";
import { inRead, unknown } from "../support/code-in-hooks.ts";
import { graphqlScenarios } from "../support/graphql.ts";
import { firedHooks, type Scenario, scenarios } from "../support/scenarios.ts";
import { testService } from "../support/service.ts";
import { type StagedHooks, stage } from "./fixture/stage.ts";

const service = await testService();

// The hooks say what they fill in: before_create `code` and `weight`, before_upsert `code`.
const ann = { role: "user", sub: "1" };
const filling = (record: object) => void Object.assign(record, { code: "made", weight: 3 });
const plays = { before_create: filling, before_upsert: filling };

const creating = (data: Json, more: Partial<Scenario> = {}): Scenario => ({
  as: ann,
  send: "POST /parcels/create",
  body: { data },
  plays,
  ...more,
});
const upserting = (data: Json, more: Partial<Scenario> = {}): Scenario =>
  creating(data, { send: "PUT /parcels/upsert", ...more });

const made = { label: "a", code: "made", weight: 3, sender: 1, status: "new" };

describe("create", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    creating({ label: "a" }, { name: "what the hook fills in may be missing", hooks: ["before_create"], rows: { parcels: [made] } }),
    creating({ note: "x" },
      { name: "what it does not fill in is refused before it runs", fails: "400 VALIDATION_ERROR label", hooks: [], rows: { parcels: [] } }),
    creating({ note: 5 },
      { name: "together with errors of other fields", fails: "400 VALIDATION_ERROR label",
        details: { errors: [{ field: "label", message: "is required" }, { field: "note", message: "must be string or null" }] }, hooks: [] }),
    creating({ label: "far too long" },
      { name: "bounds are checked after it", fails: "400 VALIDATION_ERROR label", hooks: ["before_create"], rows: { parcels: [] } }),
    creating({ label: "a" },
      { name: "a declared field that the hook leaves out is required",
        plays: { before_create: (record) => void Object.assign(record, { code: "made" }) }, fails: "400 VALIDATION_ERROR weight",
        hooks: ["before_create"], rows: { parcels: [] } }),
    creating({ label: "a" },
      { name: "so is a field that the hook removes", plays: { before_create: (record) => ({ ...record, code: "made", weight: 3, label: undefined }) },
        fails: "400 VALIDATION_ERROR label", rows: { parcels: [] } }),
    creating({ label: "a", code: "mine" },
      { name: "it gets what was sent", plays: { before_create: (record) => ({ weight: 9, ...record }) },
        rows: { parcels: [{ ...made, code: "mine", weight: 9 }] } }),
    creating({ label: "a" },
      { name: "a preset need not be in the list: a caller without its value is refused", as: null,
        fails: "403 PERMISSION_DENIED sender", hooks: ["before_create"] }),
    creating({ label: "a" },
      { name: "the hook may set it", as: null, plays: { before_create: (record) => ({ ...record, ...made, sender: 7 }) },
        rows: { parcels: [{ ...made, sender: 7 }] } }),
    creating([{ label: "a" }, { note: "x" }, { label: "b", code: "b" }, {}],
      { name: "each record of a bulk by itself", plays: { before_create: (record) => ({ code: "made", weight: 3, ...record }) },
        hooks: ["before_create", "before_create"],
        data: { inserted_count: 2, inserted_ids: [expect.any(Number), expect.any(Number)], failed_count: 2,
          failed_records: [{ index: 1, error: "VALIDATION_ERROR", field: "label", message: expect.any(String) },
            { index: 3, error: "VALIDATION_ERROR", field: "label", message: expect.any(String) }], total_attempted: 4 },
        rows: { parcels: [made, { ...made, label: "b", code: "b" }] } }),
  ]);
});

const there = { id: 5, label: "a", code: "old", weight: 1, sender: 1, status: "sent" };

describe("upsert", () => {
  const given = { parcels: [there] };
  // biome-ignore format: one case a line
  scenarios(service, [
    upserting({ label: "b", weight: 2 }, { name: "has a list of its own", hooks: ["before_upsert"], rows: { parcels: [{ ...made, label: "b" }] } }),
    upserting({ label: "b" }, { name: "a field that only the hook of create fills is required", fails: "400 VALIDATION_ERROR weight", hooks: [] }),
    upserting({ label: "a", code: "old" },
      { given, name: "of a row that is there as of a new one", fails: "400 VALIDATION_ERROR weight", hooks: [], rows: { parcels: [there] } }),
    upserting({ label: "z", weight: 2 },
      { given, name: "the key decides that the record has after the hook", plays: { before_upsert: (record) => ({ ...record, code: "old" }) },
        data: { id: 5 }, rows: { parcels: [{ ...there, label: "z", weight: 2 }] } }),
    upserting({ label: "a", weight: 2 },
      { given, name: "a unique field that the hook fills in goes before a key of several that was sent", fails: "400 VALIDATION_ERROR sender",
        rows: { parcels: [there] } }),
    upserting({ id: 5, label: "a", weight: 2 },
      { given, name: "what it fills in is written to a row that is there", data: { id: 5 },
        rows: { parcels: [{ ...there, code: "made", weight: 3 }] } }),
  ]);
});

describe("GraphQL", () => {
  // biome-ignore format: one case a line
  graphqlScenarios(service, [
    { name: "create", as: ann, plays, query: 'mutation { createParcels(input: { label: "a" }) { code weight } }',
      data: { createParcels: { code: "made", weight: 3 } }, hooks: ["before_graphql", "before_create", "after_graphql"] },
    { name: "create without what no hook fills in", as: ann, plays, query: 'mutation { createParcels(input: { note: "x" }) { code } }',
      fails: "400 VALIDATION_ERROR label", hooks: ["before_graphql"] },
    { name: "upsert without what its hook does not fill in", as: ann, plays, query: 'mutation { upsertParcels(input: { label: "a" }) { code } }',
      fails: "400 VALIDATION_ERROR weight", hooks: ["before_graphql"] },
  ]);
});

describe("context.db", () => {
  type Call = (db: HookContext["db"]) => Promise<unknown>;
  /** Runs it where the hooks of parcels do this; gives what it threw instead, and which of the hooks ran. */
  async function called(
    call: Call,
    hooks: StagedHooks = plays,
  ): Promise<readonly [unknown, readonly string[]]> {
    await service.store({});
    let ran: readonly string[] = [];
    const { value } = await inRead(
      service,
      async ({ db }) => {
        Object.assign(stage.hooks, hooks);
        const result = await call(db).catch((error: unknown) => error);
        ran = firedHooks().filter((name) => name !== "before_fetch");
        return result;
      },
      ann,
    );
    return [value, ran];
  }
  const missing = (field: string) =>
    expect.objectContaining({
      code: "VALIDATION_ERROR",
      message: expect.stringContaining(`${field}`),
      details: expect.objectContaining({ field }),
    });
  const kept = expect.objectContaining(made);
  const half = { before_create: (record: object) => void Object.assign(record, { code: "made" }) };

  // biome-ignore format: one case a line
  test.each<readonly [string, Call, StagedHooks, unknown, readonly string[]]>([
    ["create", (db) => db.parcels.create({ label: "a" }), plays, kept, ["before_create"]],
    ["create without what no hook fills in", (db) => db.parcels.create(unknown({ note: "x" })), plays, missing("label"), []],
    ["create whose hook does not fill it in", (db) => db.parcels.create({ label: "a" }), half, missing("weight"), ["before_create"]],
    ["create of many, all or none", (db) => db.parcels.create([{ label: "a", code: "a" }, unknown({ note: "x" })]), plays,
      expect.objectContaining({ details: { failed_records: [expect.objectContaining({ index: 1, field: "label" })] } }), ["before_create"]],
    ["upsert", (db) => db.parcels.upsert({ label: "a", weight: 3 }), plays, kept, ["before_upsert"]],
    ["upsert without what its hook does not fill in", (db) => db.parcels.upsert(unknown({ label: "a" })), plays, missing("weight"), []],
  ])("%s", async (_, call, hooks, given, ran) => {
    expect(await called(call, hooks)).toEqual([given, ran]);
    expect(await service.query("SELECT FROM parcels")).toHaveLength(given === kept ? 1 : 0);
  });
});
