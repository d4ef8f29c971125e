import type { Policy } from "../access/index.ts";
import type { AnyTypes, Hooks, Model, OnlyHooks, Validators } from "../model/index.ts";

export type AnyHooks = Hooks<AnyTypes>;

/** All that the generator made of one model. */
export interface ModelEntry {
  readonly model: Model;
  readonly policy: Policy;
  readonly validators: Validators;
  readonly hooks: AnyHooks;
}

/** Takes the exports of `models/hooks/<model>.ts` as the hooks of a model. */
export function defineHooks<Known extends object>() {
  return <Exports extends OnlyHooks<Known, Exports>>(exports: Exports): AnyHooks => {
    const hooks: Record<string, unknown> = { ...exports };
    return hooks;
  };
}
