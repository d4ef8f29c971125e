import { expect, it } from "vitest";
import { definePolicy } from "#runtime/access/index";
import { ModelRegistry } from "#runtime/graphql/index";
import { hookedRows } from "#runtime/graphql/plan/hooked-rows";
import { resolveSelection } from "#runtime/graphql/plan/object-selection";
import { defineModel } from "#runtime/model/index";
import { collected } from "../document/reading.ts";

const model = defineModel({
  key: "orders",
  typeName: "Orders",
  table: "orders",
  slug: "orders",
  id: "bigint",
  softDelete: false,
  maxLimit: 10,
  fields: { constructor: { kind: "string" }, toString: { kind: "string" } },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});
const nobody = { fetch: {}, search: {}, count: {}, exists: {}, create: {}, update: {} };
const policy = definePolicy<typeof model>({
  ...nobody,
  upsert: {},
  delete: {},
  destroy: {},
  restore: {},
  fields: {},
});

it("a field that a hook takes out is null, also one with a name that every object has", () => {
  const registry = new ModelRegistry([], [{ model, policy }]);
  const { fields, on } = collected("{ a: constructor b: toString __typename c: id }");
  const { toAnswer } = hookedRows(resolveSelection(registry.member("orders"), { fields, on }, registry, []));
  expect(toAnswer({ toString: "x" })).toEqual({ a: null, b: "x", __typename: "orders", c: null });
});
