import type { AnyTypes, OnlyHooks } from "./any-hooks.ts";
import type { Hooks } from "./model-hooks.ts";

/** The hooks of a model that is known only at run time. */
export type AnyHooks = Hooks<AnyTypes>;

/** Takes the exports of `models/hooks/<model>.ts` as the hooks of a model. */
export function defineHooks<Known extends object>() {
  return <Exports extends OnlyHooks<Known, Exports>>(exports: Exports): AnyHooks => {
    const hooks: Record<string, unknown> = { ...exports };
    return hooks;
  };
}
