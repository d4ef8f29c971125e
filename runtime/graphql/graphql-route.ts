import type { Request, RequestHandler, Response } from "express";
import { type Awaitable, andThen, type Late, late } from "../concurrency/index.ts";
import { envelope, methodNotAllowed, readJsonBody, sendAnswer } from "../http/index.ts";
import { type Caller, whereCredentialHolds } from "../operations/index.ts";
import type { EndpointOptions, GraphqlEndpoint } from "./endpoint.ts";
import { responseForm } from "./response-form.ts";
import { RootFailure } from "./root-failure.ts";

export interface GraphqlRouteOptions extends EndpointOptions {
  readonly claimantOf: (request: Request, response: Response) => Awaitable<Caller>;
  readonly bodyLimitBytes: number;
}

/**
 * `POST {service_prefix}/graphql`: credential, body, and then the endpoint. That one is loaded for the first request with a body
 * that can be read: some 50 modules, and graphql-js.
 */
export function graphqlRoute(options: GraphqlRouteOptions): RequestHandler {
  const endpoint = late(async () => new (await import("./endpoint.ts")).GraphqlEndpoint(options));
  return (request, response, next) => {
    serve(endpoint, request, response, options).catch((error: unknown) => next(causeOf(error, request)));
  };
}

/** What was thrown in a root field. The envelope has no place for the field, the other form has. */
function causeOf(error: unknown, { context }: Request): unknown {
  if (!(error instanceof RootFailure)) return error;
  if (context.form !== envelope) context.form = responseForm(error.key);
  return error.cause;
}

async function serve(
  endpoint: Late<GraphqlEndpoint>,
  request: Request,
  response: Response,
  { claimantOf, bodyLimitBytes }: GraphqlRouteOptions,
): Promise<void> {
  request.context.route = request.baseUrl + request.path;
  if (request.method !== "POST") throw methodNotAllowed(["POST"]);
  const claimant = claimantOf(request, response);
  const caller = claimant instanceof Promise ? await claimant : claimant;
  const answer = await whereCredentialHolds(caller, async () => {
    const step = caller.trace.begin("validate");
    const body = await readJsonBody(request, bodyLimitBytes);
    caller.trace.end(step);
    return andThen(endpoint(), (ready) => ready.answer(body, caller));
  });
  sendAnswer(response, answer);
}
