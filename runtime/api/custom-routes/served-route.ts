import {
  contentTypeProblem,
  routePathProblem,
  segmentsOf,
  withCharset,
} from "../../../vocabulary/custom-routes.ts";
import { isJsonObject } from "../../../vocabulary/json.ts";
import { routeCounterName } from "../../../vocabulary/rate-limits.ts";
import { ConfigError } from "../../core/config/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import { guest, isFor, type Principal } from "../../models/access/index.ts";
import { type OperationCounter, type RateLimits, routeCounter } from "../../modules/rate-limit/index.ts";
import { type AnswerWriter, answerWriter } from "./answer-writer.ts";
import type { OwnRoute } from "./define-route.ts";
import { type InputReader, inputReader } from "./read-input.ts";

/** A route with all that a request for it needs, made once. */
export interface ServedRoute extends Pick<OwnRoute, "method" | "path" | "handler"> {
  /** What stands for a name in the path, in order. */
  readonly names: readonly string[];
  /** Undefined: its requests are not counted. */
  readonly counter: OperationCounter | undefined;
  /** Whether it is for callers without a credential too. */
  readonly admitsGuests: boolean;
  /** 403 `PERMISSION_DENIED` for whom it is not for. */
  readonly admit: (caller: Principal) => void;
  readonly readInput: InputReader;
  /** How the answer is written: as JSON, or with a content type. */
  readonly answer: { readonly write: AnswerWriter } | { readonly contentType: string };
}

/** Makes a route ready. Throws a `ConfigError` where it cannot be served. */
export function servedRoute(route: OwnRoute, limits: RateLimits): ServedRoute {
  const { method, path, access, answer, rate_limit: limit } = route;
  const name = routeCounterName(method, path);
  try {
    const problem = routePathProblem(path);
    if (problem !== null) throw new Error(`its path ${problem}`);
    const names = segmentsOf(path).flatMap((segment) => ("name" in segment ? [segment.name] : []));
    return {
      method,
      path,
      names,
      handler: (input, context) => route.handler(input, context),
      counter: routeCounter(name, limit, limits),
      admitsGuests: access.some((role) => isFor(role, guest)),
      admit(caller) {
        if (!access.some((role) => isFor(role, caller))) throw new ServiceError("PERMISSION_DENIED");
      },
      readInput: inputReader(route, names),
      answer: answerOf(answer),
    };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError([`the route ${method} ${path}: ${reason}`], []);
  }
}

function answerOf(answer: OwnRoute["answer"]): ServedRoute["answer"] {
  try {
    return isJsonObject(answer) && Object.hasOwn(answer, "content_type")
      ? { contentType: contentTypeOf(answer) }
      : { write: answerWriter(answer) };
  } catch (error) {
    throw new Error(`answer: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function contentTypeOf({ content_type: text, ...others }: Readonly<Record<string, unknown>>): string {
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`"${other}" has no meaning next to "content_type"`);
  const problem = typeof text === "string" ? contentTypeProblem(text) : "is not a text";
  if (problem !== null) throw new Error(`content_type ${JSON.stringify(text)} ${problem}`);
  return withCharset(String(text));
}
