import { type Principal, viewOf } from "../../access/index.ts";
import type { Connection } from "../../database/index.ts";
import type { Call, CrudServices } from "../../operations/operation-context.ts";
import type { Variables } from "../document/index.ts";
import type { Catalogue, PublicMember } from "./model-registry.ts";

/** Who asks, with which variables, of which service: what all root fields of one request share. */
export interface Asking {
  readonly services: CrudServices;
  readonly catalogue: Catalogue;
  readonly principal: Principal;
  readonly requestId: string;
  /** Where a query reads. */
  readonly reads: () => Connection;
  readonly variables: Variables;
  /** Of the value of one root field: they share what an answer may hold. */
  readonly mostBytes: number;
}

/** The call of an operation of a model, as over REST. */
export function callOf(
  { services, principal, requestId, reads }: Asking,
  { model, policy, entry }: PublicMember,
): Call {
  return { services, entry, model, principal, view: viewOf(model, policy, principal.role), requestId, reads };
}
