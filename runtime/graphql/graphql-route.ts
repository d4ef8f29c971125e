import type { Request, RequestHandler, Response } from "express";
import { envelope, methodNotAllowed, readJsonBody, sendAnswer } from "../http/index.ts";
import type { Caller } from "../operations/index.ts";
import { type EndpointOptions, GraphqlEndpoint } from "./endpoint.ts";
import { responseForm } from "./response-form.ts";
import { RootFailure } from "./root-failure.ts";

export interface GraphqlRouteOptions extends EndpointOptions {
  readonly callerOf: (request: Request, response: Response) => Promise<Caller>;
  readonly bodyLimitBytes: number;
}

/** `POST {service_prefix}/graphql`: credential, body, and then the endpoint. */
export function graphqlRoute(options: GraphqlRouteOptions): RequestHandler {
  const endpoint = new GraphqlEndpoint(options);
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
  endpoint: GraphqlEndpoint,
  request: Request,
  response: Response,
  { callerOf, bodyLimitBytes }: GraphqlRouteOptions,
): Promise<void> {
  request.context.route = request.baseUrl + request.path;
  if (request.method !== "POST") throw methodNotAllowed(["POST"]);
  const caller = await callerOf(request, response);
  const { trace } = caller;
  const step = trace.begin("validate");
  const body = await readJsonBody(request, bodyLimitBytes);
  trace.end(step);
  sendAnswer(response, await endpoint.answer(body, caller));
}
