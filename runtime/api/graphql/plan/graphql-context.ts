import type { Caller, CrudServices } from "../../../data/operations/index.ts";
import type { Variables } from "../document/index.ts";
import type { ModelRegistry } from "./model-registry.ts";

/** Who asks, with which variables, of which service: what all root fields of one request share. */
export interface GraphqlContext {
  readonly services: CrudServices;
  readonly registry: ModelRegistry;
  readonly caller: Caller;
  readonly variables: Variables;
  /** Of the value of one root field: they share what an answer may hold. */
  readonly mostBytes: number;
}
