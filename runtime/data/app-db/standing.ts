import type { Operation } from "../../../vocabulary/operations.ts";
import type { CallScope } from "../../hooks/context/index.ts";
import { codeView, type Grant } from "../../models/access/index.ts";
import {
  type Caller,
  type CrudServices,
  type ModelEntry,
  type OperationContext,
  operationContext,
} from "../operations/index.ts";
import { boundDatabase } from "./bound-database.ts";
import { type CodeApplication, callerGuard } from "./code-application.ts";

/** By whose rights calls of code run: by those of the caller, or by all. */
export interface Standing {
  readonly scope: CallScope;
  /** Errors: 403 `PERMISSION_DENIED` where the caller may not run the operation. */
  readonly begin: (entry: ModelEntry, operation: Operation) => { call: OperationContext; grant: Grant };
}

/** No rule of access holds, and no gate but that of passwords. */
export function ofCode(app: CodeApplication, scope: CallScope): Standing {
  const services = servicesIn(app, scope);
  const caller = callerOf(scope);
  return {
    scope,
    begin(entry, operation) {
      const { model } = entry;
      const call = { services, entry, model, view: codeView(model), ...caller };
      return { call, grant: { operation, scope: everything, insert: everything } };
    },
  };
}

const everything = { kind: "all" } as const;

/** The caller's rules and gates hold. */
export function ofCaller(app: CodeApplication, scope: CallScope): Standing {
  const services = servicesIn(app, scope);
  const caller = callerOf(scope);
  return {
    scope,
    begin(entry, operation) {
      const grant = callerGuard(entry, operation).admit(caller.principal);
      return { call: operationContext(services, entry, caller), grant };
    },
  };
}

function servicesIn({ services }: CodeApplication, { transaction }: CallScope): CrudServices {
  if (transaction === null) return services;
  return { ...services, database: boundDatabase(transaction), transaction };
}

function callerOf({ origin }: CallScope): Caller {
  const { principal, requestId, address = "", trace, chain, later } = origin;
  return { principal, ensureNotRevoked: null, requestId, address, trace, chain, later };
}
