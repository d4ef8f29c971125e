import { expect, test } from "vitest";
import { type AnyHooks, defineGraphqlHooks, defineHooks } from "#runtime/hooks/index";

test("one function that is several hooks goes by the name of each, and is called as it is", async () => {
  const normalize: AnyHooks["before_create"] = (record, context) => ({ ...record, seen: context.request_id });
  const hooks = defineHooks<AnyHooks>()({ before_create: normalize, before_upsert: normalize });
  expect([hooks.before_create?.name, hooks.before_upsert?.name]).toEqual(["before_create", "before_upsert"]);
  const context: unknown = { request_id: "r" };
  expect(await Reflect.apply(hooks.before_upsert ?? normalize, undefined, [{ a: 1 }, context])).toEqual({
    a: 1,
    seen: "r",
  });
});

test("a hook that has its name already is left as it is", () => {
  const before_graphql = () => {};
  expect(defineGraphqlHooks({ before_graphql }).before_graphql).toBe(before_graphql);
});
