import type { Logger } from "pino";
import { afterWrite, ServiceError } from "../../core/errors/index.ts";
import type { Caller } from "../../data/operations/index.ts";
import {
  type AppModules,
  appContext,
  type CodeContext,
  extend,
  noHooksRunning,
  thrownByApp,
  withCalls,
} from "../../hooks/context/index.ts";
import { Redirect, type ResponseHead, type RouteContext, type RouteInput } from "./define-route.ts";
import type { ResponseWriter } from "./response-writer.ts";
import type { ServedRoute } from "./served-route.ts";

/** What handlers of routes use. */
export interface HandlerServices {
  readonly log: Logger;
  readonly modules: AppModules;
}

/** A call of a handler. */
export interface HandlerCall {
  readonly route: ServedRoute;
  readonly input: RouteInput;
  readonly caller: Caller;
  readonly head: ResponseHead;
}

/**
 * Runs a handler. `use` gets its value while the context of the handler lives. Throws what the handler threw, as the error of the
 * response.
 */
export function runHandler(
  { route, input, caller, head }: HandlerCall,
  { log, modules }: HandlerServices,
  use: (value: unknown) => Promise<unknown>,
): Promise<unknown> {
  const { principal, requestId, address, trace, later } = caller;
  const name = `${route.method} ${route.path}`;
  const own = log.child({ request_id: requestId, ...trace.logFields, route: name });
  const origin = { principal, requestId, log: own, modules, trace, address, chain: noHooksRunning, later };
  return withCalls(`the handler of ${name}`, async (calls) => {
    const context = contextOf(appContext({ origin, transaction: null }, calls), route, head);
    return use(await route.handler(input, context));
  }).catch((thrown: unknown) => {
    const error = thrownByApp(thrown, modules.errors);
    // The handler can have written to the database before it failed.
    throw route.method === "GET" ? error : afterWrite(error);
  });
}

function contextOf(context: CodeContext, { answer }: ServedRoute, { words }: ResponseHead): RouteContext {
  extend(context, { redirect: (url: string, status?: 302 | 303) => new Redirect(url, status) });
  if ("contentType" in answer) extend(context, words);
  return context;
}

/** The result of a handler as JSON text. */
export async function jsonOf(value: unknown, write: ResponseWriter, name: string): Promise<string> {
  try {
    return await write(value);
  } catch (cause) {
    throw wrongAnswer(name, "does not fit its schema", cause);
  }
}

/** 500 for a result that the route does not declare. */
export function wrongAnswer(name: string, problem: string, cause?: unknown): ServiceError {
  const reason = new Error(`the answer of ${name} ${problem}`, { cause });
  return new ServiceError("INTERNAL_ERROR", undefined, undefined, { cause: reason });
}
