import {
  contentTypeProblem,
  routeNameProblem,
  routePathProblem,
  segmentsOf,
  toolNameProblem,
  withCharset,
} from "../../../vocabulary/custom-routes.ts";
import { isJsonObject } from "../../../vocabulary/json.ts";
import { routeCounterName } from "../../../vocabulary/rate-limits.ts";
import { ConfigError } from "../../core/config/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import { guest, isFor, type Principal } from "../../models/access/index.ts";
import { type OperationCounter, type RateLimits, routeCounter } from "../../modules/rate-limit/index.ts";
import type { CustomRoute } from "./define-route.ts";
import { type RouteInputs, routeInputs } from "./read-input.ts";
import { type ResponseWriter, responseWriter } from "./response-writer.ts";

/** A prepared route. */
export interface ServedRoute extends Pick<CustomRoute, "method" | "path" | "handler"> {
  /** The names in the path, in order. */
  readonly names: readonly string[];
  /** Undefined: requests are not counted. */
  readonly counter: OperationCounter | undefined;
  /** Whether guests are allowed. */
  readonly admitsGuests: boolean;
  /** Errors: 403 `PERMISSION_DENIED`. */
  readonly authorize: (caller: Principal) => void;
  readonly inputs: RouteInputs;
  /** JSON, or content with a type. */
  readonly answer: { readonly write: ResponseWriter } | { readonly contentType: string };
}

/** Prepares a route. Throws a `ConfigError` if it is invalid. */
export function servedRoute(route: CustomRoute, limits: RateLimits): ServedRoute {
  const { method, path, access, answer, rate_limit: limit } = route;
  const name = routeCounterName(method, path);
  try {
    const problem = routePathProblem(path);
    if (problem !== null) throw new Error(`its path ${problem}`);
    requireWords(route);
    const names = segmentsOf(path).flatMap((segment) => ("name" in segment ? [segment.name] : []));
    return {
      method,
      path,
      names,
      handler: (input, context) => route.handler(input, context),
      counter: routeCounter(name, limit, limits),
      admitsGuests: access.some((role) => isFor(role, guest)),
      authorize(caller) {
        if (!access.some((role) => isFor(role, caller))) throw new ServiceError("PERMISSION_DENIED");
      },
      inputs: routeInputs(route, names),
      answer: answerOf(answer),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`the route ${method} ${path}: ${reason}`], []);
  }
}

/** Only documents and tools hold these keys, but a value of another type is a mistake. */
function requireWords({ name, description = "", mcp }: CustomRoute): void {
  const problem = name === undefined ? null : routeNameProblem(name);
  if (problem !== null) throw new Error(`its name ${problem}`);
  const unfit = mcp === undefined ? null : toolNameProblem(mcp.name);
  if (unfit !== null) throw new Error(`mcp: its name ${unfit}`);
  if (typeof description !== "string") throw new Error("its description is not a string");
}

function answerOf(answer: CustomRoute["answer"]): ServedRoute["answer"] {
  try {
    return isJsonObject(answer) && Object.hasOwn(answer, "content_type")
      ? { contentType: contentTypeOf(answer) }
      : { write: responseWriter(answer) };
  } catch (error) {
    throw new Error(`answer: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function contentTypeOf({ content_type: text, ...others }: Readonly<Record<string, unknown>>): string {
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`"${other}" is not allowed next to "content_type"`);
  const problem = typeof text === "string" ? contentTypeProblem(text) : "is not a string";
  if (problem !== null) throw new Error(`content_type ${JSON.stringify(text)} ${problem}`);
  return withCharset(String(text));
}
