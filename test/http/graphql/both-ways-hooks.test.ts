import { ServiceError } from "#runtime/index";
import { bothWays, type Table } from "../../support/graphql-both-ways.ts";
import { testService } from "../../support/service.ts";
import type { StagedHooks } from "../fixture/stage.ts";

const service = await testService();

const gone = "2026-01-01T00:00:00Z";
const hooked = {
  hooked: [
    { id: 1, name: "one", number: 1, code: "c" },
    { id: 2, name: "two", number: 2, code: "c" },
    { id: 3, name: "gone", code: "c", deleted_at: gone },
  ],
};
const everything: Table["asked"] = [
  { run: "fetch", where: { number: { gt: 0 } }, order: "-name", limit: 2, fields: ["id", "name"] },
  { run: "fetch", where: { name: { in: ["one", "gone"] }, number: null } },
  { run: "search", search: "ON", fields: ["id", "name", "number"] },
  { run: "create", data: { name: "new", number: 5, code: "c" } },
  { run: "create", data: { name: "new" } },
  { run: "create", data: { name: "one", code: "c" } },
  { run: "update", where: { id: 1, name: { like: "n" } }, data: { number: 7 } },
  { run: "update", where: { number: { nin: [7] } }, data: { name: "one" } },
  { run: "upsert", data: { name: "one", number: 5, code: "d" } },
  { run: "upsert", data: { name: "new", number: 5, code: "d" } },
  { run: "delete", where: { number: { lte: 2 } } },
  { run: "delete", ids: [2, 1, 2] },
  { run: "destroy", where: { id: 3 } },
  { run: "destroy", ids: [1] },
  { run: "restore", where: { id: 3 }, data: { number: 3 } },
];
const refusal = () => {
  throw new ServiceError("NOT_FOUND", "not today", { field: "name" });
};
const bug = () => {
  throw new Error("a bug");
};

// biome-ignore format: one case a line
const hookTables: readonly (readonly [name: string, plays: StagedHooks])[] = [
  ["that only look", {}],
  ["that change what is asked",
    { before_fetch: (value) => ({ ...value, where: { number: 2 } }), before_search: (value) => ({ ...value, search_term: "two" }),
      before_create: (value) => ({ ...value, code: "z", guarded: "g" }), before_upsert: (value) => ({ ...value, code: "z" }),
      before_update: ({ where }) => ({ where, data: { number: 9, guarded: "g" } }), before_delete: () => ({ where: { id: 2 } }),
      before_destroy: () => ({ ids: [2] }), before_restore: ({ where }) => ({ where, data: { number: 4 } }) }],
  ["that refuse before",
    { before_fetch: refusal, before_search: refusal, before_create: refusal, before_update: refusal, before_upsert: refusal,
      before_delete: refusal, before_destroy: refusal, before_restore: refusal }],
  ["that refuse after",
    { after_fetch: refusal, after_search: refusal, after_create: refusal, after_update: refusal, after_upsert: refusal, after_delete: refusal,
      after_destroy: refusal, after_restore: refusal }],
  ["that are broken", { after_fetch: bug, before_search: bug, after_create: bug, before_update: bug, after_delete: bug }],
  ["that turn pages and order",
    { before_fetch: (value) => ({ ...value, page: 2, limit: 1, order_by: "name", order: "DESC" }),
      before_search: (value) => ({ ...value, offset: 1, limit: 1 }), before_delete: () => ({ where: { name: "two", number: 2 } }),
      before_restore: () => ({ where: { id: 3 }, data: { name: "back" } }) }],
  ["that make nonsense of what is asked",
    { before_fetch: (value) => ({ ...value, where: JSON.parse('{"nothing":1}') }), before_search: (value) => ({ ...value, limit: -1 }),
      before_create: () => JSON.parse('{"name":5}'), before_update: ({ where }) => ({ where, data: {} }),
      before_upsert: () => JSON.parse('{"number":5,"nothing":1}'), before_delete: () => ({ where: {} }),
      before_destroy: () => JSON.parse('{"where":{"id":1},"ids":[1]}'), before_restore: () => JSON.parse('{"where":{"id":"x"},"data":{"name":5}}') }],
  ["that make nothing of it",
    { before_fetch: () => JSON.parse("null"), before_create: () => JSON.parse("null"), before_update: () => JSON.parse("null"),
      before_upsert: () => JSON.parse("[]"), before_delete: () => JSON.parse("{}"), before_destroy: () => JSON.parse("5"),
      before_restore: () => JSON.parse('"x"') }],
  ["that mask what was written", { after_create: (row) => ({ ...row, name: "masked" }), after_upsert: (row) => ({ ...row }) }],
  ["that change rows of lists", { after_fetch: (rows) => rows.map((row) => ({ ...row, name: "masked" })), after_search: (rows) => rows.slice(1) }],
];

bothWays(
  service,
  Object.fromEntries(
    hookTables.map(([name, plays]): [string, Table] => [
      `hooks ${name}`,
      { model: "hooked", given: hooked, asked: everything, callers: ["user", "admin"], plays },
    ]),
  ),
);
