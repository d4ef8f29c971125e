import { type Principal, viewOf } from "../../access/index.ts";
import type { Queryable } from "../../database/index.ts";
import type { CrudServices, OperationContext } from "../../operations/operation-context.ts";
import type { Variables } from "../document/index.ts";
import type { ModelRegistry, PublicMember } from "./model-registry.ts";

/** Who asks, with which variables, of which service: what all root fields of one request share. */
export interface GraphqlContext {
  readonly services: CrudServices;
  readonly catalogue: ModelRegistry;
  readonly principal: Principal;
  readonly requestId: string;
  /** Where a query reads. */
  readonly reads: () => Queryable;
  readonly variables: Variables;
  /** Of the value of one root field: they share what an answer may hold. */
  readonly mostBytes: number;
}

/** The call of an operation of a model, as over REST. */
export function operationContextOf(
  { services, principal, requestId, reads }: GraphqlContext,
  { model, policy, entry }: PublicMember,
): OperationContext {
  return { services, entry, model, principal, view: viewOf(model, policy, principal.role), requestId, reads };
}
