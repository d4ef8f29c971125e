import type { Request, Response } from "express";
import type { JsonObject } from "../../../vocabulary/json.ts";
import { asStep } from "../../core/concurrency/index.ts";
import { refuseProblems, ServiceError } from "../../core/errors/index.ts";
import { withDoubles } from "../../core/http/index.ts";
import type { Caller } from "../../data/operations/index.ts";
import { countRequest, type RateLimits } from "../../modules/rate-limit/index.ts";
import { type CustomRoute, Redirect, ResponseHead } from "./define-route.ts";
import { type HandlerServices, jsonOf, runHandler } from "./run-handler.ts";
import { servedRoute } from "./served-route.ts";

/** A custom route without a URL: a tool of MCP. */
export interface CallableRoute {
  readonly method: string;
  readonly path: string;
  readonly mcp: NonNullable<CustomRoute["mcp"]>;
  /**
   * Checks limit, access and input as a request does, and returns the `data` of the response as JSON text. A redirect becomes
   * `{location, status}`. Errors: those of the route.
   */
  readonly call: (
    args: JsonObject,
    caller: Caller,
    exchange: { readonly request: Request; readonly response: Response },
  ) => Promise<string>;
}

/** The arguments of a tool. */
const parts: readonly string[] = ["params", "query", "body"];

/** The routes with `mcp`. Throws a `ConfigError` if one of them is invalid. */
export function callableRoutes(
  routes: readonly CustomRoute[],
  { limits, services }: { readonly limits: RateLimits; readonly services: HandlerServices },
): CallableRoute[] {
  return routes.flatMap((declared) => {
    const { method, path, mcp } = declared;
    if (mcp === undefined) return [];
    const route = servedRoute(declared, limits);
    const { answer } = route;
    const name = `${method} ${path}`;
    if ("contentType" in answer) throw new Error(`the route ${name} answers no JSON, so it cannot be a tool`);
    const call: CallableRoute["call"] = async (args, caller, { request, response }) => {
      const { principal, trace } = caller;
      if (principal.user_id === null && !route.admitsGuests) throw new ServiceError("MISSING_TOKEN");
      await countRequest(route.counter, caller, response);
      route.authorize(principal);
      const odd = Object.keys(args).filter((field) => !parts.includes(field));
      refuseProblems(odd.map((field) => ({ field, message: `is not one of ${parts.join(", ")}` })));
      const { params, query, body } = withDoubles(args);
      const input = await route.inputs.check({ params, query, body, request });
      const sent = { route, input, caller, head: new ResponseHead() };
      const value = await asStep(trace, "handler", () => runHandler(sent, services, async (given) => given));
      if (value instanceof Redirect)
        return JSON.stringify({ location: value.location, status: value.status });
      return jsonOf(value, answer.write, name);
    };
    return [{ method, path, mcp, call }];
  });
}
