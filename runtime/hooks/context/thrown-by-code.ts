import type { DeclaredErrors } from "../../../vocabulary/error-codes.ts";
import { classifyDatabaseError } from "../../core/database/index.ts";
import { asDeclared, notNow, ServiceError } from "../../core/errors/index.ts";

/**
 * What a throw of code of one's own is answered with. `errors` are those that its service declares. What is no `ServiceError` is 500
 * `INTERNAL_ERROR`, also where it comes from the database, unless that was silent: then it is 503 `HTTP_ERROR` as everywhere
 * (decisions, part 1).
 */
export function thrownByCode(thrown: unknown, errors: DeclaredErrors): ServiceError {
  if (thrown instanceof ServiceError) return asDeclared(thrown, errors);
  const failed = () => new ServiceError("INTERNAL_ERROR", undefined, undefined, { cause: thrown });
  return notNow(classifyDatabaseError(thrown)?.kind, thrown) ?? failed();
}
