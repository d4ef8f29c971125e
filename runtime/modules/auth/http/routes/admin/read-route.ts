import { type Problem, refuseProblems, ServiceError } from "../../../../../core/errors/index.ts";
import {
  readQueryString,
  type SuccessResponse,
  sendSuccess,
  splitUrl,
} from "../../../../../core/http/index.ts";
import type { Caller } from "../../../../../data/operations/index.ts";
import { isAdministrator } from "../../../../../models/access/index.ts";
import { identifies, type RouteContext, type ServeRoute } from "../../account-route.ts";
import type { AccountServices } from "../../account-services.ts";

/** A request of an administrator that reads. */
export interface ReadCall {
  readonly services: AccountServices;
  readonly caller: Caller;
  /** The query string as sent. */
  readonly query: string;
  /** The text of the path's parameter; empty for a path without one. */
  readonly parameter: string;
}

/** A route that administrators read, also with an API key. */
export function administratorReads(read: (call: ReadCall) => Promise<SuccessResponse>): ServeRoute {
  return async (context) => {
    const caller = await callerOf(context);
    const { request, response, services, parameter } = context;
    const { query } = splitUrl(request.url);
    sendSuccess(response, await read({ services, caller, query, parameter }));
  };
}

/** Refuses query parameters: 400 `VALIDATION_ERROR`. */
export function refuseQuery({ query }: ReadCall): void {
  const problems: Problem[] = [];
  for (const field of readQueryString(query, problems).keys())
    problems.push({ field, message: "is not a parameter of this route" });
  refuseProblems(problems);
}

async function callerOf({ request, services }: RouteContext): Promise<Caller> {
  const { authenticator, limits } = services;
  const principal = await authenticator.principal(request);
  if (principal.user_id === null)
    throw new ServiceError("MISSING_TOKEN", "This route needs an access token or an API key.");
  identifies(request.context)(principal);
  if (!isAdministrator(principal.role)) throw new ServiceError("PERMISSION_DENIED");
  const { id: requestId, trace, later } = request.context;
  const address = limits.addressOf(request);
  return { principal, ensureNotRevoked: null, requestId, address, trace, later };
}
