import type { Request, RequestHandler, Response } from "express";
import type { RouteMethod } from "../../../vocabulary/custom-routes.ts";
import type { JsonObject } from "../../../vocabulary/json.ts";
import type { Operation, operationMethods } from "../../../vocabulary/operations.ts";
import { type Problem, refuseProblems } from "../../core/errors/index.ts";
import {
  decodeSegments,
  hasBody,
  methodNotAllowed,
  readJsonBody,
  type SuccessResponse,
  sendSuccess,
  splitUrl,
} from "../../core/http/index.ts";
import {
  type Caller,
  type CrudOperation,
  type CrudServices,
  type Guard,
  type ModelEntry,
  type OperationContext,
  operationContext,
} from "../../data/operations/index.ts";
import {
  type FieldMentions,
  type Grant,
  grantFor,
  requireFields,
  type Subject,
} from "../../models/access/index.ts";
import { countRequest, type ModelLimits, type OperationCounters } from "../../modules/rate-limit/index.ts";
import { explainedRefusal } from "./explained-refusal.ts";
import { type InputParser, type RawRequest, readParameters } from "./input.ts";

/** A route of a model, and the checks before its operation, in order. */
interface Route {
  readonly method: RouteMethod;
  readonly path: string;
  readonly operation: Operation;
  readonly readsBody: boolean;
  readonly authorize: (caller: Subject) => Grant;
  /**
   * Reads the input; checks the named fields, then their values. Returns the function that runs the
   * operation.
   */
  readonly read: (
    call: OperationContext,
    request: RawRequest,
    problems: Problem[],
    grant: Grant,
  ) => () => Promise<SuccessResponse>;
}

/** The operations with this method. */
type OperationWith<Method extends RouteMethod> = {
  [Op in Operation]: (typeof operationMethods)[Op] extends Method ? Op : never;
}[Operation];

/** A line of `routes.ts`. It only compiles if method, path, guard, input and operation belong together. */
function declare<Method extends RouteMethod>(method: Method) {
  return <Op extends OperationWith<Method>, Input extends FieldMentions>(
    path: `/${Op}`,
    { operation, authorize }: Guard<NoInfer<Op>>,
    parser: InputParser<NoInfer<Input>>,
    { run }: CrudOperation<NoInfer<Op>, Input>,
  ): Route => ({
    method,
    path,
    operation,
    readsBody: parser.body,
    authorize,
    read(call, request, problems, granted) {
      const value = parser.read(request, problems);
      requireFields(call.view, value);
      const grant = grantFor(granted, value.data);
      refuseProblems(problems);
      return () => run(call, grant, value);
    },
  });
}

export const route = {
  get: declare("GET"),
  post: declare("POST"),
  put: declare("PUT"),
  patch: declare("PATCH"),
  delete: declare("DELETE"),
};

export interface ModelRoutes extends ModelEntry {
  readonly limits: ModelLimits;
  /** The operations that are tools of MCP. */
  readonly mcp: readonly Operation[];
  /** By path: `/fetch`, … */
  readonly routes: ReadonlyMap<string, Route>;
}

/** Connects the routes of a model with its policy and hooks. */
export function modelRoutes(
  parts: Omit<ModelEntry, "hooks"> & Partial<Pick<ModelRoutes, "hooks" | "limits" | "mcp">>,
  routes: readonly Route[],
): ModelRoutes {
  return {
    hooks: {},
    limits: {},
    mcp: [],
    ...parts,
    routes: new Map(routes.map((route) => [route.path, route])),
  };
}

interface RouterOptions {
  /** Path before all models; empty or with a leading slash. */
  readonly prefix: string;
  readonly services: CrudServices;
  /** See `CallerReaders`. */
  readonly asCaller: (
    request: Request,
    response: Response,
    first: boolean,
    work: (caller: Caller) => Promise<SuccessResponse>,
  ) => Promise<SuccessResponse>;
  /** By model key. */
  readonly counters: ReadonlyMap<string, OperationCounters>;
  readonly bodyLimitBytes: number;
  /** Whether a 403 has the command that explains it. */
  readonly explains: boolean;
}

interface Served {
  readonly entry: ModelRoutes;
  readonly counters: OperationCounters | undefined;
  /** By path, made once: a look-up does not build a string. */
  readonly patterns: ReadonlyMap<string, string>;
}

/**
 * Serves the routes of all models. Two look-ups, model and operation, take the same time for any number of
 * models.
 */
export function modelRouter(models: readonly ModelRoutes[], options: RouterOptions): RequestHandler {
  const bySlug = new Map(models.map((entry) => [entry.model.slug, served(entry, options)]));
  const { prefix } = options;
  return (request, response, next) => {
    const { path: whole, query } = splitUrl(request.url);
    if (!whole.startsWith(prefix) || whole[prefix.length] !== "/") return next();
    const sent = whole.slice(prefix.length);
    const path = sent.includes("%") ? decodedPath(sent) : sent;
    const slash = path.indexOf("/", 1);
    const found = slash === -1 ? undefined : bySlug.get(path.slice(1, slash));
    const route = found?.entry.routes.get(path.slice(slash));
    if (found === undefined || route === undefined) return next();
    const { context, baseUrl } = request;
    const pattern = found.patterns.get(route.path) ?? whole;
    context.route = baseUrl === "" ? pattern : baseUrl + pattern;
    context.model = found.entry.model.key;
    context.operation = route.operation;
    serve(found, route, query, request, response, options).catch(next);
  };
}

function served(entry: ModelRoutes, { prefix, counters }: RouterOptions): Served {
  const { key, slug } = entry.model;
  const patterns = new Map([...entry.routes.keys()].map((path) => [path, `${prefix}/${slug}${path}`]));
  return { entry, counters: counters.get(key), patterns };
}

/**
 * Checks credential, limit, access, body and input, in this order, and runs the operation. Only requests with
 * a valid token are counted.
 */
async function serve(
  served: Served,
  route: Route,
  query: string,
  request: Request,
  response: Response,
  options: RouterOptions,
): Promise<void> {
  requireMethod(route, request);
  const counter = served.counters?.get(route.operation);
  const answer = await options.asCaller(request, response, counter !== undefined, async (caller) => {
    if (counter !== undefined) await countRequest(counter, caller, response);
    let body: JsonObject | undefined;
    const keep = (read: JsonObject | undefined) => {
      body = read;
    };
    try {
      return await answerOf(served, route, query, request, caller, options, keep);
    } catch (error) {
      if (!options.explains) throw error;
      const { model } = served.entry;
      const { principal } = caller;
      const { operation } = route;
      const { database } = options.services;
      throw await explainedRefusal(error, { model, operation, principal, query, body }, database);
    }
  });
  sendSuccess(response, answer);
}

function answerOf(
  { entry }: Served,
  route: Route,
  query: string,
  request: Request,
  caller: Caller,
  { services, bodyLimitBytes }: RouterOptions,
  keep: (body: JsonObject | undefined) => void,
): Promise<SuccessResponse> {
  const grant = route.authorize(caller.principal);
  const call = operationContext(services, entry, caller);
  const { trace } = caller;
  const step = trace.begin("validate");
  const problems: Problem[] = [];
  const parameters = readParameters(query, problems);
  const run = (body: JsonObject | undefined) => {
    keep(body);
    const input = { model: entry.model, parameters, body, bulkLimit: services.bulkLimit };
    const execute = route.read(call, input, problems, grant);
    trace.end(step);
    return execute();
  };
  return route.readsBody || hasBody(request)
    ? readJsonBody(request, bodyLimitBytes).then(run)
    : run(undefined);
}

function requireMethod(route: Route, request: Request): void {
  const { method } = request;
  if (method === route.method || (method === "HEAD" && route.method === "GET")) return;
  throw methodNotAllowed(route.method === "GET" ? ["GET", "HEAD"] : [route.method]);
}

/** An encoded slash is not a separator, so it stays encoded. No model has a path that cannot be decoded. */
function decodedPath(path: string): string {
  const segments = decodeSegments(path.split("/")) ?? [];
  return segments.map((segment) => segment.replaceAll("/", "%2F")).join("/");
}
