import { describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/index";
import { perform, type Scenario } from "../support/scenarios.ts";
import { record, run } from "../support/scenarios-hooked.ts";
import { testService } from "../support/service.ts";
import type { HookedHooks } from "./fixture/generated/models/hooked/model.ts";
import { stage } from "./fixture/stage.ts";

const service = await testService();

/** A hook fires with this value; those that stand in `values`, in order. */
async function expectValues(
  scenario: Scenario,
  values: Readonly<Partial<Record<keyof HookedHooks, unknown>>>,
) {
  await perform(service, scenario);
  expect(stage.fired.map(({ hook, value }) => [hook, value])).toEqual(Object.entries(values));
}

describe("what each hook gets, before and after", () => {
  const row = (id: unknown, fields: object) => expect.objectContaining({ id, ...fields });
  // biome-ignore format: one case a line
  test.each<[Scenario, Partial<Record<keyof HookedHooks, unknown>>]>([
    [run("GET fetch?number__gt=1&name__in=two,three&page=1&order_by=name&order=desc&select_fields=id,name", undefined,
        { pagination: expect.anything() }),
      { before_fetch: { where: { number__gt: 1, name__in: ["two", "three"] }, limit: 10, page: 1, order_by: "name", order: "DESC",
          select_fields: ["id", "name"] }, after_fetch: [{ id: 2, name: "two" }] }],
    [run("GET fetch?id=1&number__is_null=1&moment__lt=2026-01-01&offset=3&limit=2", undefined, { pagination: expect.anything() }),
      { before_fetch: { where: { id: 1, number__is_null: true, moment__lt: "2026-01-01T00:00:00.000Z" }, limit: 2, offset: 3, order: "ASC" },
        after_fetch: [] }],
    [run("GET search?search_term=ON&number__between=[0,9]", undefined),
      { before_search: { where: { number__between: [0, 9] }, limit: 10, order: "ASC", search_term: "ON" },
        after_search: [row(1, { name: "one" })] }],
    [run("GET count", undefined), {}],
    [run("GET exists?id=1", undefined), {}],
    [run("POST create", { data: record }), { before_create: record, after_create: row(expect.any(Number), { ...record, guarded: null }) }],
    [run("PUT update", { where: { id: 1, name__like: "n" }, data: { number: 7 } }),
      { before_update: { where: { id: 1, name__like: "n" }, data: { number: 7 } }, after_update: { updated_count: 1, updated_ids: [1] } }],
    [run("PUT upsert", { data: { ...record, name: "one" } }), { before_upsert: { ...record, name: "one" }, after_upsert: { id: 1 } }],
    [run("DELETE delete", { query: { number__not_in: [7, "8"] } }),
      { before_delete: { where: { number__not_in: [7, 8] } }, after_delete: { deleted_count: 2, deleted_ids: [1, 2] } }],
    [run("DELETE delete", { ids: [2, "1", 2] }), { before_delete: { ids: [2, 1] }, after_delete: { deleted_count: 2, deleted_ids: [1, 2] } }],
    [run("DELETE destroy?id=3", undefined), { before_destroy: { where: { id: 3 } }, after_destroy: { destroyed_count: 1, destroyed_ids: [3] } }],
    [run("DELETE destroy", { ids: [1] }), { before_destroy: { ids: [1] }, after_destroy: { destroyed_count: 1, destroyed_ids: [1] } }],
    [run("PATCH restore", { where: { id: 3 }, data: { number: 3 } }),
      { before_restore: { where: { id: 3 }, data: { number: 3 } }, after_restore: { restored_count: 1, restored_ids: [3] } }],
  ])("%j", expectValues);
});

describe("bulk: before each record, after once", () => {
  test("create", async () => {
    await perform(service, run("POST create", { data: [record, { ...record, name: "newer" }] }));
    expect(stage.fired.map(({ hook, value }) => [hook, value])).toEqual([
      ["before_create", record],
      ["before_create", { ...record, name: "newer" }],
      ["after_create", expect.objectContaining({ inserted_count: 2, total_attempted: 2 })],
    ]);
  });

  test("update", async () => {
    const data = [
      { id: 1, number: 7 },
      { id: 2, number: 8 },
    ];
    await perform(service, run("PUT update", { data }));
    expect(stage.fired.map(({ hook, value }) => [hook, value])).toEqual([
      ["before_update", { where: { id: 1 }, data: { number: 7 } }],
      ["before_update", { where: { id: 2 }, data: { number: 8 } }],
      ["after_update", expect.objectContaining({ updated_count: 2, updated_ids: [1, 2] })],
    ]);
  });
});

describe("context", () => {
  const contextOf = async (scenario: Scenario) => {
    await perform(service, { ...scenario, headers: { "x-request-id": "id-of-the-request" } });
    const [first] = stage.fired;
    if (first === undefined) throw new Error("no hook fired");
    return first.context;
  };

  test("names the caller", async () => {
    const as = { role: "admin", sub: "42", email: "a@example.org" };
    const { principal, request_id } = await contextOf({ ...run("GET fetch", undefined), as });
    expect(principal).toEqual({ user_id: "42", role: "admin", email: "a@example.org" });
    expect(request_id).toBe("id-of-the-request");
  });

  test("or a guest", async () => {
    const { principal } = await contextOf({ ...run("GET fetch", undefined), as: null });
    expect(principal).toEqual({ user_id: null, role: "guest", email: null });
  });

  test("has a log that notes the request", async () => {
    const { log } = await contextOf(run("GET fetch", undefined));
    log.info("said by a hook");
    const line = service.log.findLast(({ msg }) => msg === "said by a hook");
    expect(line).toMatchObject({ request_id: "id-of-the-request", model: "hooked" });
  });

  test("has a transaction in mutations alone", async () => {
    const hasOne = async (scenario: Scenario) => "transaction" in (await contextOf(scenario));
    expect(await hasOne(run("GET fetch", undefined))).toBe(false);
    expect(await hasOne(run("GET search", undefined))).toBe(false);
    expect(await hasOne(run("POST create", { data: record }))).toBe(true);
  });

  test("in which the hook sees and adds to what the operation did", async () => {
    await perform(
      service,
      run(
        "POST create",
        { data: record },
        {
          plays: {
            after_create: async (_, { transaction }) => {
              const found = await transaction("hooked").where({ name: "new" });
              if (found.length !== 1) throw new ServiceError("NOT_FOUND");
              await transaction("ledger").insert({ hooked_name: "new" });
            },
          },
          rows: { ledger: [{ hooked_name: "new" }] },
        },
      ),
    );
  });
});
