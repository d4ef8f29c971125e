import type { Logger } from "pino";
import { isJsonObject, type JsonObject } from "../../vocabulary/json.ts";
import type { Principal } from "../access/index.ts";
import { type GraphqlHooks, type HookContext, runHook } from "../hooks/index.ts";
import type { Answer } from "../http/index.ts";
import { type CrudServices, readsOf } from "../operations/operation-context.ts";
import { Documents } from "./document/index.ts";
import type { RootLimits } from "./execute/count-root-fields.ts";
import { execute } from "./execute/execute.ts";
import { type GraphqlBody, readGraphqlBody } from "./graphql-request.ts";
import type { ModelRegistry } from "./plan/model-registry.ts";
import { Roots } from "./plan/roots.ts";

/** Bounds of a document (decisions, part 6). */
export type GraphqlLimits = ConstructorParameters<typeof Documents>[0];

export interface EndpointOptions extends Pick<RootLimits, "counters"> {
  readonly catalogue: ModelRegistry;
  readonly hooks: GraphqlHooks;
  readonly limits: GraphqlLimits;
  readonly services: CrudServices;
}

/** Who sent a request, and from where. */
export interface Caller extends Pick<RootLimits, "principal" | "address"> {
  readonly requestId: string;
}

/** GraphQL below HTTP: a body goes in, and an answer comes out. */
export class GraphqlEndpoint {
  readonly #options: EndpointOptions;
  readonly #documents: Documents;
  readonly #roots: Roots;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#documents = new Documents(options.limits);
    this.#roots = new Roots(options.catalogue);
  }

  /** Answers one request. The text is parsed when `before_graphql` has seen it. */
  async answer(body: JsonObject | undefined, { principal, requestId, address }: Caller): Promise<Answer> {
    const { hooks, services, catalogue, counters } = this.#options;
    const sent = readGraphqlBody(body);
    const context = () => hookContext(principal, requestId, services.log);
    const { before_graphql: before, after_graphql: after } = hooks;
    const { query, variables, operationName } =
      before === undefined ? sent : await applyBeforeHook(before, sent, context);
    const operation = this.#documents.operation(query, operationName);
    const reads = () => readsOf(services, principal, address);
    const who = { services, catalogue, principal, requestId, reads };
    const limits = { counters, principal, address };
    const data = await execute(operation, variables, this.#roots, who, limits);
    const answer = { message: "GraphQL executed", data };
    return after === undefined ? answer : answered(after, answer, context);
  }
}

async function applyBeforeHook(
  hook: NonNullable<GraphqlHooks["before_graphql"]>,
  sent: GraphqlBody,
  context: () => HookContext,
): Promise<GraphqlBody> {
  const { query, variables } = sent;
  const changed = await runHook(hook, { query, variables: { ...variables } }, context);
  return readGraphqlBody({
    operationName: sent.operationName,
    query: changed.query,
    variables: changed.variables,
  });
}

/** The answer once `after_graphql` has seen it: message and data are its to change. */
async function answered(
  hook: NonNullable<GraphqlHooks["after_graphql"]>,
  answer: Answer,
  context: () => HookContext,
): Promise<Answer> {
  const result = {
    statusCode: 200,
    status: "success",
    message: answer.message,
    data: JSON.parse(answer.data),
  } as const;
  const changed: unknown = await runHook(hook, result, context);
  if (isJsonObject(changed) && typeof changed["message"] === "string" && isJsonObject(changed["data"]))
    return { message: changed["message"], data: JSON.stringify(changed["data"]) };
  throw new Error('the hook after_graphql made something of its value that has no "message" and "data"');
}

function hookContext(principal: Principal, requestId: string, log: Logger): HookContext {
  return { principal, request_id: requestId, log: log.child({ request_id: requestId, model: "graphql" }) };
}
