import { exactText, isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import { afterWrite, type Problem, refuseProblems } from "../../core/errors/index.ts";
import type { SuccessResponse } from "../../core/http/index.ts";
import { parseStored } from "../../core/text/index.ts";
import { type Caller, type CrudServices, hookOriginOf } from "../../data/operations/index.ts";
import { type AppCalls, appContext, type CodeContext } from "../../hooks/context/index.ts";
import { type GraphqlHooks, type HookScope, runHook } from "../../hooks/index.ts";
import { Documents, readVariables } from "./document/index.ts";
import { execute, type RootCounters } from "./execute/execute.ts";
import type { ModelRegistry } from "./plan/model-registry.ts";
import { type RootRequest, rootRequests } from "./plan/root-requests.ts";
import { Roots } from "./plan/roots.ts";
import { RootFailure } from "./response.ts";

/** A GraphQL request body. */
export interface GraphqlBody {
  readonly query: string;
  readonly variables: JsonObject;
  readonly operationName: string | null;
}

/** `extensions` is ignored. */
const knownKeys: ReadonlySet<string> = new Set(["query", "variables", "operationName", "extensions"]);

const none: JsonObject = Object.freeze({});

/** Reads the body of a request. Errors: 400 `VALIDATION_ERROR` with the key as `details.field`. */
export function readGraphqlBody(body: JsonObject = none): GraphqlBody {
  const problems: Problem[] = [];
  for (const key of Object.keys(body))
    if (!knownKeys.has(key))
      problems.push({ field: key, message: `is not one of ${[...knownKeys].join(", ")}` });
  const request = {
    query: readQuery(body["query"], problems),
    variables: readValues(body["variables"], problems),
    operationName: readOperationName(body["operationName"], problems),
  };
  refuseProblems(problems);
  return request;
}

function readQuery(value: unknown, problems: Problem[]): string {
  if (typeof value === "string" && value !== "") return value;
  problems.push({
    field: "query",
    message: value === undefined ? "is required" : "must be a string that is not empty",
  });
  return "";
}

function readValues(value: unknown, problems: Problem[]): JsonObject {
  if (isJsonObject(value)) return value;
  if (value !== undefined && value !== null)
    problems.push({ field: "variables", message: "must be an object" });
  return none;
}

function readOperationName(value: unknown, problems: Problem[]): string | null {
  if (value === undefined || value === null || value === "") return null;
  if (typeof value === "string") return value;
  problems.push({ field: "operationName", message: "must be a string" });
  return null;
}

/** Limits of a document. */
export type GraphqlLimits = ConstructorParameters<typeof Documents>[0];

export interface EndpointOptions {
  readonly registry: ModelRegistry;
  readonly hooks: GraphqlHooks;
  readonly limits: GraphqlLimits;
  readonly services: CrudServices;
  readonly counters: RootCounters;
}

/** GraphQL without HTTP. */
export class GraphqlEndpoint {
  readonly #options: EndpointOptions;
  readonly #documents: Documents;
  readonly #roots: Roots;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#documents = new Documents(options.limits);
    this.#roots = new Roots(options.registry);
  }

  /** The requests of the root fields to their models, without hooks. */
  requests(body: JsonObject): RootRequest[] {
    const { query, variables: sent, operationName } = readGraphqlBody(body);
    const operation = this.#documents.operation(query, operationName);
    const variables = readVariables(operation.variables, sent);
    const roots = this.#roots.of(operation, operation.collect(variables));
    const { bulkLimit } = this.#options.services;
    return roots.flatMap((root) => rootRequests(root, variables, bulkLimit));
  }

  /** Runs one request. The text is parsed after `before_graphql`. */
  async answer(body: JsonObject | undefined, caller: Caller): Promise<SuccessResponse> {
    const { hooks, services, registry, counters } = this.#options;
    const sent = readGraphqlBody(body);
    const { trace } = caller;
    let inBefore: AppCalls | undefined;
    const scope = {
      trace,
      errors: services.modules.errors,
      context(hook: string, calls: AppCalls) {
        inBefore ??= calls;
        return contextOf(services, caller, hook, calls);
      },
    };
    const failAfterCalls = (error: unknown): never => {
      throw inBefore?.hasRun ? notRepeated(error) : error;
    };
    const { before_graphql: before, after_graphql: after } = hooks;
    const { query, variables, operationName } =
      before === undefined ? sent : await applyBeforeHook(before, sent, scope).catch(failAfterCalls);
    const step = trace.begin("parse");
    const operation = this.#documents.operation(query, operationName);
    trace.end(step);
    const who = { services, registry, caller };
    const isMutation = operation.kind === "mutation";
    const executed = execute(operation, variables, this.#roots, who, counters);
    const data = await (isMutation ? executed.catch(failAfterCalls) : executed);
    const answer = { message: "GraphQL executed", data };
    if (after === undefined) return answer;
    return answered(after, answer, scope).catch((error: unknown) => {
      throw isMutation ? notRepeated(error) : error;
    });
  }
}

/** The error of a request whose hook or mutation can have written. */
function notRepeated(error: unknown): unknown {
  return error instanceof RootFailure
    ? new RootFailure(error.key, afterWrite(error.cause))
    : afterWrite(error);
}

function contextOf(services: CrudServices, caller: Caller, hook: string, calls: AppCalls): CodeContext {
  const origin = hookOriginOf(services, caller, "graphql", hook);
  return appContext({ origin, transaction: null }, calls);
}

async function applyBeforeHook(
  hook: NonNullable<GraphqlHooks["before_graphql"]>,
  sent: GraphqlBody,
  scope: HookScope<CodeContext>,
): Promise<GraphqlBody> {
  const { query, variables } = sent;
  const changed = await runHook(hook, { query, variables: { ...variables } }, scope);
  return readGraphqlBody({
    operationName: sent.operationName,
    query: changed.query,
    variables: changed.variables,
  });
}

/** Runs `after_graphql`, which can change message and data. */
async function answered(
  hook: NonNullable<GraphqlHooks["after_graphql"]>,
  answer: SuccessResponse,
  scope: HookScope<CodeContext>,
): Promise<SuccessResponse> {
  const result = {
    statusCode: 200,
    status: "success",
    message: answer.message,
    data: parseStored(answer.data),
  } as const;
  const changed: unknown = await runHook(hook, result, scope);
  if (isJsonObject(changed) && typeof changed["message"] === "string" && isJsonObject(changed["data"]))
    return { message: changed["message"], data: exactText(changed["data"]) };
  throw new Error('the hook after_graphql must return an object with "message" and "data"');
}
