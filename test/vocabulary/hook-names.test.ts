import { expect, expectTypeOf, test } from "vitest";
import type { AnyAuthHooks, AnyHooks, GraphqlHooks } from "#runtime/hooks/index";
import { hookNames } from "#vocabulary/hook-names";

type Name<Owner extends keyof typeof hookNames> = (typeof hookNames)[Owner][number];

test("generator and runtime know the same hooks", () => {
  expectTypeOf<Name<"model">>().toEqualTypeOf<keyof AnyHooks>();
  expectTypeOf<Name<"auth">>().toEqualTypeOf<keyof AnyAuthHooks>();
  expectTypeOf<Name<"graphql">>().toEqualTypeOf<keyof GraphqlHooks>();
  expect(hookNames.model).toHaveLength(16);
});
