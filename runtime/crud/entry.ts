import type { Policy } from "../access/index.ts";
import type { Hooks, Model, ModelTypes, Validators } from "../model/index.ts";

/** The types of a model that is known only at run time. */
export interface AnyTypes extends ModelTypes {
  readonly row: Record<string, unknown>;
  readonly create: Record<string, unknown>;
  readonly update: Record<string, unknown>;
  readonly where: Record<string, unknown>;
}

export type AnyHooks = Hooks<AnyTypes>;

/** All that the generator made of one model. */
export interface ModelEntry {
  readonly model: Model;
  readonly policy: Policy;
  readonly validators: Validators;
  readonly hooks: AnyHooks;
}

/** Every export of a hook file must be a hook; a name that is none does not compile. */
type OnlyHooks<Known, Exports> = {
  readonly [Name in keyof Exports]: Name extends keyof Known ? Known[Name] : never;
};

/** Takes the exports of `models/hooks/<model>.ts` as the hooks of a model. */
export function defineHooks<Known extends object>() {
  return <Exports extends OnlyHooks<Known, Exports>>(exports: Exports): AnyHooks => {
    const hooks: Record<string, unknown> = { ...exports };
    return hooks;
  };
}
