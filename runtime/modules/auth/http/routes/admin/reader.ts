import type { Caller } from "../../../../../data/operations/index.ts";
import type { AccountRequest } from "../../account-route.ts";

/** The administrator of a request that writes, for the read of its answer. */
export function callerReading({ caller, requestId, address, trace, later }: AccountRequest): Caller {
  const { sub, role, email } = caller;
  const principal = { user_id: sub, role, email };
  return { principal, ensureNotRevoked: null, requestId, address, trace, later };
}
