import type { FillingHook } from "../../vocabulary/hook-names.ts";
import type { ModelTypes } from "../models/index.ts";

/**
 * The export `fills` of a hook file: required fields that a before-hook fills in, so that callers need not send them, and no
 * others may be missing (decisions, part 13). The generator reads it.
 */
export type Fills<Types extends ModelTypes> = {
  readonly [Hook in FillingHook]?: readonly (keyof Types[CreationOf<Hook>])[];
};

type CreationOf<Hook extends FillingHook> =
  Hook extends `before_${infer Creation extends "create" | "upsert"}` ? Creation : never;
