import { describe, expect, test } from "vitest";
import { ServiceError } from "#runtime/index";
import { perform, type Scenario, scenarios } from "../support/scenarios.ts";
import { record, rows, run } from "../support/scenarios-hooked.ts";
import { testService } from "../support/service.ts";
import type { HookedHooks } from "./fixture/generated/models/hooked/model.ts";
import { stage } from "./fixture/stage.ts";

// Its hooks answer what no document can describe.
const service = await testService({}, { described: () => undefined });

/** Expects these hooks to fire with these values, in this order. */
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

  test("has a transaction only in mutations", async () => {
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

describe("a before-hook changes what is done", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    run("POST create", { data: record },
      { name: "in place", plays: { before_create: (value) => { value.number = 9; } },
        rows: { hooked: [...rows.map(({ id }) => ({ id })), { name: "new", number: 9 }] } }),
    run("POST create", { data: record },
      { name: "by what it returns", plays: { before_create: (value) => ({ ...value, number: 8 }) }, data: expect.objectContaining({ number: 8 }) }),
    run("POST create", { data: record },
      { name: "asynchronously", plays: { before_create: async (value) => ({ ...value, number: await Promise.resolve(8) }) },
        data: expect.objectContaining({ number: 8 }) }),
    run("POST create", { data: { name: "new" } },
      { name: "it may fill in required fields", plays: { before_create: (value) => { value.code = "made"; } },
        data: expect.objectContaining({ code: "made" }) }),
    run("POST create", { data: record },
      { name: "and fields that the caller may not write", plays: { before_create: (value) => { value.guarded = "g"; } },
        data: expect.objectContaining({ guarded: "g" }) }),
    run("POST create", { data: [record, { ...record, name: "newer" }] },
      { name: "each record of a bulk", plays: { before_create: (value) => { value.code = `${value.name}`; } },
        rows: { hooked: [{}, {}, {}, { code: "new" }, { code: "newer" }] } }),
    run("PUT update", { where: { id: 1 }, data: { number: 7 } },
      { name: "rows and values of an update", plays: { before_update: ({ data }) => ({ where: { id: 2 }, data: { ...data, guarded: "g" } }) },
        data: { updated_count: 1, updated_ids: [2] }, rows: { hooked: [{ number: 1 }, { number: 7, guarded: "g" }, {}] } }),
    run("PUT update", { where: { id: 1 }, data: { number: 7 } },
      { name: "in place, too", plays: { before_update: (value) => { value.where.name = "missing"; } }, fails: "404 NOT_FOUND" }),
    run("PUT upsert", { data: { name: "one" } },
      { name: "the record of an upsert", plays: { before_upsert: (value) => ({ ...value, name: "two", code: "z" }) }, data: { id: 2 },
        rows: { hooked: [{ code: "c" }, { code: "z" }, {}] } }),
    run("DELETE delete", { query: { id: 1 } },
      { name: "what is deleted: other filters", plays: { before_delete: () => ({ where: { id: 2 } }) },
        data: { deleted_count: 1, deleted_ids: [2] } }),
    run("DELETE delete", { query: { id: 1 } },
      { name: "or ids", plays: { before_delete: () => ({ ids: [1, 2] }) }, data: { deleted_count: 2, deleted_ids: [1, 2] } }),
    run("DELETE destroy", { ids: [1] },
      { name: "what is destroyed", plays: { before_destroy: () => ({ where: { code: "c" } }) },
        data: { destroyed_count: 3, destroyed_ids: [1, 2, 3] } }),
    run("PATCH restore", { where: { id: 3 }, data: { deleted_at: null } },
      { name: "what is restored, and with what", plays: { before_restore: ({ where }) => ({ where, data: { number: 33 } }) },
        rows: { hooked: [{}, {}, { number: 33, deleted_at: null }] } }),
    run("GET fetch", undefined, { name: "a query",
      plays: { before_fetch: (query) => {
          query.where.number__gte = 2;
          query.select_fields = ["name"];
        },
      },
      data: [{ name: "two" }],
    }),
    run("GET fetch", undefined, { name: "a filter on null is kept",
      given: { hooked: [...rows, { id: 4, name: "four", number: null, code: "c", deleted_at: null }] },
      plays: { before_fetch: (query) => {
          query.where.number = null;
          query.select_fields = ["name"];
        },
      },
      data: [{ name: "four" }],
    }),
    run("GET search?search_term=x", undefined,
      { name: "a search",
        plays: { before_search: () => ({ where: {}, search_term: "wo", order_by: "id", order: "DESC", select_fields: ["id"] }) }, data: [{ id: 2 }] }),
    run("GET fetch", undefined,
      { name: "paging", plays: { before_fetch: (query) => ({ ...query, page: 2, limit: 1, select_fields: ["id"] }) }, data: [{ id: 2 }],
        pagination: { limit: 1, page: 2, offset: 1, total: 2, total_pages: 2, has_more: false } }),
  ]);
});

describe("what a before-hook returns is validated in full", () => {
  const refused = (name: string, scenario: Scenario, fails: string): Scenario => ({
    ...scenario,
    name,
    fails,
    rows: { hooked: rows.map(({ id }) => ({ id })) },
  });
  const create = run("POST create", { data: record });
  // biome-ignore format: one case a line
  scenarios(service, [
    refused("a required field that it does not fill in", run("POST create", { data: { name: "new" } }), "400 VALIDATION_ERROR code"),
    refused("a required field that it takes away", { ...create, plays: { before_create: () => ({ name: "x" }) as never } },
      "400 VALIDATION_ERROR code"),
    refused("a wrong type", { ...create, plays: { before_create: (value) => void Object.assign(value, { number: "x" }) } },
      "400 VALIDATION_ERROR number"),
    refused("an unknown field", { ...create, plays: { before_create: (value) => void Object.assign(value, { nothing: 1 }) } },
      "400 VALIDATION_ERROR nothing"),
    refused("an id", { ...create, plays: { before_create: (value) => void Object.assign(value, { id: 1 }) } }, "400 VALIDATION_ERROR id"),
    refused("an unknown filter",
      { ...run("PUT update", { where: { id: 1 }, data: { number: 1 } }),
        plays: { before_update: ({ data }) => ({ where: { nothing: 1 } as never, data }) } }, "500 INTERNAL_ERROR"),
    refused("an empty filter", { ...run("DELETE destroy", { query: { id: 1 } }), plays: { before_destroy: () => ({ where: {} }) } },
      "500 INTERNAL_ERROR"),
    refused("row conditions hold for what is written in the end",
      { ...run("POST create", { data: record }), as: "user", plays: { before_create: (value) => { value.number = 100; } } },
      "403 PERMISSION_DENIED"),
    refused("after an update too",
      { ...run("PUT update", { where: { id: 1 }, data: { number: 1 } }), as: "user",
        plays: { before_update: ({ data }) => { data.number = 100; } } }, "403 PERMISSION_DENIED"),
  ]);
});

describe("a before-hook does not see", () => {
  const unseen = (name: string, scenario: Scenario, fails: string): Scenario => ({
    ...scenario,
    name,
    fails,
    hooks: [],
  });
  // biome-ignore format: one case a line
  scenarios(service, [
    unseen("a denied operation", { ...run("POST create", { data: record }), as: null }, "403 PERMISSION_DENIED"),
    unseen("a forbidden field", run("POST create", { data: { ...record, guarded: "x" } }), "403 PERMISSION_DENIED guarded"),
    unseen("a wrong type", run("POST create", { data: { ...record, number: "5" } }), "400 VALIDATION_ERROR number"),
    unseen("an unknown field", run("PUT update", { where: { id: 1 }, data: { nothing: 1 } }), "400 VALIDATION_ERROR nothing"),
    unseen("a malformed filter", run("GET fetch?number=x", undefined), "400 VALIDATION_ERROR number"),
    unseen("an empty filter", run("DELETE delete", { query: {} }), "400 VALIDATION_ERROR query"),
    unseen("an invalid credential", { ...run("GET fetch", undefined), as: null, headers: { authorization: "Bearer x" } }, "401 INVALID_TOKEN"),
  ]);
});

describe("an after-hook changes what is answered", () => {
  // biome-ignore format: one case a line
  scenarios(service, [
    run("GET fetch", undefined,
      { plays: { after_fetch: (found) => found.map(({ id }) => ({ id: Number(id) * 10 })) }, data: [{ id: 10 }, { id: 20 }] }),
    run("GET fetch?page=1", undefined,
      { name: "and not the pagination", plays: { after_fetch: () => [] }, data: [],
        pagination: { limit: 10, page: 1, offset: 0, total: 2, total_pages: 1, has_more: false } }),
    run("GET search", undefined, { plays: { after_search: (found) => void found.splice(1) }, data: [expect.objectContaining({ id: 1 })] }),
    run("POST create", { data: record },
      { plays: { after_create: (answer) => ({ ...answer, number: 77 }) }, data: expect.objectContaining({ number: 77 }),
        rows: { hooked: [{}, {}, {}, { number: 5 }] } }),
    run("PUT update", { where: { id: 1 }, data: { number: 7 } },
      { plays: { after_update: () => ({ updated_count: 0, updated_ids: [] }) }, data: { updated_count: 0, updated_ids: [] } }),
    run("PUT upsert", { data: record }, { plays: { after_upsert: () => ({}) }, data: {} }),
    run("DELETE delete", { ids: [1] },
      { plays: { after_delete: (answer) => void answer.deleted_ids.push(99) }, data: { deleted_count: 1, deleted_ids: [1, 99] } }),
  ]);
});
