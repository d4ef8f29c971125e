import { type DeclaredErrors, errorCodes, isContractCode } from "../../../vocabulary/error-codes.ts";
import { suggestion } from "../../../vocabulary/nearest.ts";
import { ServiceError } from "./service-error.ts";

/**
 * What code of one's own threw, as its service declares it: the same error, with status and default message. A code that nobody
 * declares is 500 `INTERNAL_ERROR`, and the log says so. The error itself stays as it is: two services of a process may share one, and
 * declare its code differently.
 */
export function asDeclared(error: ServiceError, declared: DeclaredErrors): ServiceError {
  if (isContractCode(error.code)) return error;
  const code = String(error.code);
  const own = Object.hasOwn(declared, code) ? declared[code] : undefined;
  if (own === undefined) return undeclared(code, error, declared);
  const { details, headers, cause } = error;
  const message = error.message === code ? own.description : error.message;
  return new ServiceError(error.code, message, details, { status: own.status, headers, cause });
}

function undeclared(code: string, error: ServiceError, declared: DeclaredErrors): ServiceError {
  const known = suggestion(code, [...Object.keys(declared), ...Object.keys(errorCodes)]);
  const reason = `"${code}" is no error of the service, and models/errors.json does not declare it${known}`;
  return new ServiceError("INTERNAL_ERROR", undefined, undefined, {
    cause: new Error(reason, { cause: error }),
  });
}
