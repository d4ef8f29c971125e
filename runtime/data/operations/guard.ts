import type { Operation } from "../../../vocabulary/operations.ts";
import { ServiceError } from "../../core/errors/index.ts";
import {
  type Grant,
  grantOf,
  isSignedIn,
  type OperationPolicy,
  type Standing,
} from "../../models/access/index.ts";

/** Lets callers into one operation. */
export interface Guard<Op extends Operation> {
  readonly operation: Op;
  /** The rows in reach, or 403 `PERMISSION_DENIED`, which names what was asked for where the URL does not. */
  readonly admit: (caller: Standing, asked?: string) => Grant;
}

const rememberedRoles = 100;

/** The guard of an operation, made from the operation's own rules. */
export function guard<Op extends Operation>(policy: OperationPolicy<Op>): Guard<Op> {
  const grants = new Map<string, Grant>();
  let guests: Grant | undefined;
  return {
    operation: policy.operation,
    admit(caller, asked) {
      const isGuest = !isSignedIn(caller);
      const known = isGuest ? guests : grants.get(caller.role);
      if (known !== undefined) return known;
      const grant = grantOf(policy, caller);
      if (grant === null) throw refusal(asked);
      if (isGuest) guests = grant;
      else if (grants.size < rememberedRoles) grants.set(caller.role, grant);
      return grant;
    },
  };
}

function refusal(asked: string | undefined): ServiceError {
  if (asked === undefined) return new ServiceError("PERMISSION_DENIED");
  return new ServiceError("PERMISSION_DENIED", `Your role may not ask for ${asked}.`, { field: asked });
}
