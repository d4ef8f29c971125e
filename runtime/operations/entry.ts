import type { Policy } from "../access/index.ts";
import type { AnyHooks } from "../hooks/index.ts";
import type { Model, Validators } from "../model/index.ts";

/** All that the generator made of one model. */
export interface ModelEntry {
  readonly model: Model;
  readonly policy: Policy;
  readonly validators: Validators;
  readonly hooks: AnyHooks;
}
