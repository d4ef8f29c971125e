import { describe, expect } from "vitest";
import { type Scenario, scenarios } from "../support/scenarios.ts";
import { record, rows, run } from "../support/scenarios-hooked.ts";
import { testService } from "../support/service.ts";

const service = await testService();

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
      { name: "in place, too", plays: { before_update: (value) => { value.where.name = "nobody"; } }, fails: "404 NOT_FOUND" }),
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
    run("GET fetch", undefined, {
      name: "a query",
      plays: {
        before_fetch: (query) => {
          query.where.number__gte = 2;
          query.select_fields = ["name"];
        },
      },
      data: [{ name: "two" }],
    }),
    run("GET fetch", undefined, {
      name: "a filter on null is kept",
      given: { hooked: [...rows, { id: 4, name: "four", number: null, code: "c", deleted_at: null }] },
      plays: {
        before_fetch: (query) => {
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
