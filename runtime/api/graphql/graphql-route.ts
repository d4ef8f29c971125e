import type { Request, RequestHandler, Response } from "express";
import { andThen, type Lazy, lazy } from "../../core/concurrency/index.ts";
import {
  envelope,
  methodNotAllowed,
  readJsonBody,
  type SuccessResponse,
  sendSuccess,
} from "../../core/http/index.ts";
import type { Caller } from "../../data/operations/index.ts";
import type { EndpointOptions, GraphqlEndpoint } from "./endpoint.ts";
import { graphqlResponseFormat, RootFailure } from "./response.ts";

export interface GraphqlRouteOptions extends EndpointOptions {
  /** See `CallerReaders`. */
  readonly asCaller: (
    request: Request,
    response: Response,
    first: boolean,
    work: (caller: Caller) => Promise<SuccessResponse>,
  ) => Promise<SuccessResponse>;
  readonly bodyLimitBytes: number;
}

/**
 * `POST {service_prefix}/graphql`. The endpoint is loaded for the first valid body: some 50 modules, and
 * graphql-js.
 */
export function graphqlRoute(options: GraphqlRouteOptions): RequestHandler {
  const endpoint = lazy(() => loadEndpoint(options));
  return (request, response, next) => {
    serve(endpoint, request, response, options).catch((error: unknown) => next(causeOf(error, request)));
  };
}

/** GraphQL without HTTP. */
export async function loadEndpoint(options: EndpointOptions): Promise<GraphqlEndpoint> {
  return new (await import("./endpoint.ts")).GraphqlEndpoint(options);
}

/** Adds the root field to the response form. The envelope has no place for it. */
function causeOf(error: unknown, { context }: Request): unknown {
  if (!(error instanceof RootFailure)) return error;
  if (context.responseFormat !== envelope) context.responseFormat = graphqlResponseFormat(error.key);
  return error.cause;
}

async function serve(
  endpoint: Lazy<GraphqlEndpoint>,
  request: Request,
  response: Response,
  { asCaller, bodyLimitBytes, hooks, counters }: GraphqlRouteOptions,
): Promise<void> {
  request.context.route = request.baseUrl + request.path;
  if (request.method !== "POST") throw methodNotAllowed(["POST"]);
  const { before_graphql: before, after_graphql: after } = hooks;
  const hasEffects = before !== undefined || after !== undefined || counters.size > 0;
  const answer = await asCaller(request, response, hasEffects, async (caller) => {
    const step = caller.trace.begin("validate");
    const body = await readJsonBody(request, bodyLimitBytes);
    caller.trace.end(step);
    return andThen(endpoint(), (ready) => ready.answer(body, caller));
  });
  sendSuccess(response, answer);
}
