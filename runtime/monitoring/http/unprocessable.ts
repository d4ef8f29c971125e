import { invalid, type Problem, ServiceError } from "../../errors/index.ts";

/** 422 `VALIDATION_ERROR`: what the monitoring routes say of parameters and bodies that are not well formed (decisions, part 11). */
export function unprocessable(message: string, details: Readonly<Record<string, unknown>>): ServiceError {
  return new ServiceError("VALIDATION_ERROR", message, details, { status: 422 });
}

/** Throws a 422 when there are problems with parameters. */
export function refuseParameters([first, ...rest]: readonly Problem[]): void {
  if (first === undefined) return;
  const { message, details = {} } = invalid([first, ...rest]);
  throw unprocessable(message, details);
}
