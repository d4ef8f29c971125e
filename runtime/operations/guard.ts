import type { Operation } from "../../vocabulary/operations.ts";
import { type Grant, grantOf, type OperationPolicy } from "../access/index.ts";
import { ServiceError } from "../errors/index.ts";

/** Lets a role into one operation. */
export interface Guard<Op extends Operation> {
  readonly operation: Op;
  /** The rows in reach, or 403 `PERMISSION_DENIED`, which names what was asked for where the URL does not. */
  readonly admit: (role: string, asked?: string) => Grant;
}

const rememberedRoles = 100;

/** The guard of an operation, made from the operation's own rules. */
export function guard<Op extends Operation>(policy: OperationPolicy<Op>): Guard<Op> {
  const grants = new Map<string, Grant>();
  return {
    operation: policy.operation,
    admit(role, asked) {
      const known = grants.get(role);
      if (known !== undefined) return known;
      const grant = grantOf(policy, role);
      if (grant === null) throw refusal(asked);
      if (grants.size < rememberedRoles) grants.set(role, grant);
      return grant;
    },
  };
}

function refusal(asked: string | undefined): ServiceError {
  if (asked === undefined) return new ServiceError("PERMISSION_DENIED");
  return new ServiceError("PERMISSION_DENIED", `Your role may not ask for ${asked}.`, { field: asked });
}
