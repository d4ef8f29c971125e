import {
  type CallToolResult,
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  ProtocolError,
  Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { Request, Response } from "express";
import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import type { ServiceError } from "../../core/errors/index.ts";
import { serviceErrorOf } from "../../core/http/index.ts";
import { type Caller, type CrudServices, operationContext } from "../../data/operations/index.ts";
import type { McpCall } from "../../hooks/context/index.ts";
import { countRequest } from "../../modules/rate-limit/index.ts";
import {
  type Answered,
  type AskedState,
  answeredState,
  answerOf,
  argumentsHash,
  questionOf,
  showsForms,
} from "./confirmation.ts";
import type { RoleTools, ToolTarget } from "./exposed-tools.ts";
import { type ConfirmedCall, readModelCall } from "./model-calls.ts";
import { listedResources, resourceText } from "./resources.ts";

/** What a server says about itself, and what it runs. */
export interface McpServerOptions {
  readonly name: string;
  readonly instructions: string | null;
  readonly services: CrudServices;
  /** Signs the states of confirmations. */
  readonly stateKey: Buffer;
  readonly record: (call: McpCall) => void;
}

/** One HTTP request. */
export interface Exchange {
  readonly caller: Caller;
  /** The name of the caller in records. */
  readonly name: string;
  readonly request: Request;
  readonly response: Response;
}

/** The wait for a form, in seconds. */
const formSeconds = 600;

/** Lists can be kept for a minute: roles and tools only change with a deployment. */
const listed = { ttlMs: 60_000, cacheScope: "private" } as const;

/** The server of one request. Its tools are those of the caller. */
export function mcpServer(options: McpServerOptions, own: RoleTools, exchange: Exchange): Server {
  const { name, instructions, stateKey } = options;
  const codec = createRequestStateCodec<AskedState>({
    key: stateKey,
    ttlSeconds: formSeconds,
    bind: () => exchange.name,
  });
  const server = new Server(
    { name, version: own.document.info.version },
    {
      capabilities: { tools: {}, resources: {} },
      ...(instructions !== null && { instructions }),
      cacheHints: { "tools/list": listed, "resources/list": listed, "resources/read": listed },
      requestState: { verify: codec.verify },
      inputRequired: { legacyShim: false },
    },
  );
  server.setRequestHandler("tools/list", () => ({ tools: own.tools }));
  server.setRequestHandler("resources/list", () => ({ resources: listedResources(own) }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", ({ params: { uri } }) => {
    const text = resourceText(own, uri);
    if (text === null) throw new ProtocolError(-32602, `Resource ${uri} not found`, { uri });
    return { contents: [{ uri, mimeType: "text/markdown", text }] };
  });
  server.setRequestHandler("tools/call", ({ params }, context) => {
    const target = targetOf(own, params.name);
    const call = new ToolCall(
      { options, exchange, context, codec },
      params.name,
      target,
      params.arguments ?? {},
    );
    return call.answer();
  });
  return server;
}

function targetOf({ targets }: RoleTools, name: string): ToolTarget {
  const target = targets.get(name);
  if (target === undefined) throw new ProtocolError(-32602, `Tool ${name} not found`);
  return target;
}

interface CallScope {
  readonly options: McpServerOptions;
  readonly exchange: Exchange;
  readonly context: ServerContext;
  readonly codec: ReturnType<typeof createRequestStateCodec<AskedState>>;
}

/** The text of a form about a number of rows. */
type Question = (rows: number) => string;

type ToolAnswer = CallToolResult | InputRequiredResult;

/** One call of a tool. */
class ToolCall {
  readonly #scope: CallScope;
  readonly #tool: string;
  readonly #target: ToolTarget;
  readonly #args: JsonObject;
  /** What the person answered in this call's form; null if there was none. */
  #answered: Answered | null = null;

  constructor(scope: CallScope, tool: string, target: ToolTarget, args: JsonObject) {
    this.#scope = scope;
    this.#tool = tool;
    this.#target = target;
    this.#args = args;
  }

  /** Runs the tool, and records the call. Errors of the operation become error results. */
  async answer(): Promise<ToolAnswer> {
    const { exchange, options } = this.#scope;
    const begun = performance.now();
    let answer: ToolAnswer;
    let code: string | null = null;
    try {
      answer = await this.#run();
      if ("isError" in answer && isJsonObject(answer.structuredContent))
        code = String(answer.structuredContent["error"]);
    } catch (thrown) {
      const { context } = exchange.request;
      const error = serviceErrorOf(thrown, context);
      // Work after the response is only for calls that succeed.
      context.errorCode = error.code;
      context.errorMessage = error.message;
      code = String(error.code);
      answer = errorResult(error);
    }
    const isQuestion = !("content" in answer);
    options.record({
      server: options.name,
      tool: this.#tool,
      operation_ref: operationRef(this.#target),
      caller: exchange.name,
      status: isQuestion ? "asked" : code === null ? "ok" : "error",
      ...(code !== null && { error_code: code }),
      ...(this.#answered !== null && { confirmation: this.#answered }),
      duration_ms: performance.now() - begun,
    });
    return answer;
  }

  async #run(): Promise<ToolAnswer> {
    const { exchange, options } = this.#scope;
    const { caller, request, response } = exchange;
    if ("route" in this.#target)
      return successResult(await this.#target.route.call(this.#args, caller, exchange));
    const { model, operation } = this.#target;
    request.context.model = model.entry.model.key;
    request.context.operation = operation;
    await countRequest(model.counters?.get(operation), caller, response);
    const granted = model.authorize(operation, caller.principal);
    const context = operationContext(options.services, model.entry, caller);
    const call = readModelCall(operation, context, granted, this.#args);
    if ("run" in call) return successResult(await call.run());
    return this.#confirm(call, (rows) => questionOf(operation, model.entry.model.key, rows));
  }

  async #confirm(call: ConfirmedCall, question: Question): Promise<ToolAnswer> {
    const { context } = this.#scope;
    if (!showsForms(context)) {
      if (this.#args["confirm"] === true) return this.#write(call, Number.POSITIVE_INFINITY, question);
      return this.#unconfirmed(await call.rows(), "Ask a person, and then send `confirm: true`.");
    }
    const state = answeredState(context, this.#tool, this.#args);
    const answered = state === null ? null : answerOf(context);
    if (state === null || answered === null) return this.#ask(await call.rows(), question);
    this.#answered = answered;
    if (answered === "accepted") return this.#write(call, state.rows, question);
    return this.#unconfirmed(state.rows, `The person has ${answered}.`);
  }

  async #write(call: ConfirmedCall, most: number, question: Question): Promise<ToolAnswer> {
    const done = await call.runUpTo(most);
    return typeof done === "string" ? successResult(done) : this.#ask(done, question);
  }

  async #ask(rows: number, question: Question): Promise<InputRequiredResult> {
    const { codec, context } = this.#scope;
    const state = { tool: this.#tool, args: argumentsHash(this.#args), rows };
    const message = question(rows);
    return inputRequired({
      inputRequests: {
        confirm: inputRequired.elicit({
          message,
          requestedSchema: {
            type: "object",
            properties: { confirm: { type: "boolean", title: message } },
            required: ["confirm"],
          },
        }),
      },
      requestState: await codec.mint(state, context),
    });
  }

  #unconfirmed(rows: number, message: string): CallToolResult {
    return errorJson({
      error: "CONFIRMATION_REQUIRED",
      message: `Nothing was written. ${message}`,
      details: { rows },
    });
  }
}

function operationRef(target: ToolTarget): string {
  if ("route" in target) return `${target.route.method} ${target.route.path}`;
  return `${target.model.entry.model.key}.${target.operation}`;
}

function successResult(json: string): CallToolResult {
  const data: unknown = JSON.parse(json);
  const text = isJsonObject(data) ? json : `{"data":${json}}`;
  return { content: [{ type: "text", text }], structuredContent: isJsonObject(data) ? data : { data } };
}

/** The names that REST has for arguments of tools. */
const argumentNames: ReadonlyMap<string, string> = new Map([
  ["select_fields", "select"],
  ["page__after", "after"],
]);

function errorResult({ code, message, details, headers }: ServiceError): CallToolResult {
  const seconds = headers["Retry-After"];
  const sent = typeof details?.["field"] === "string" ? details["field"] : null;
  const name = sent === null ? undefined : argumentNames.get(sent);
  const renamed = sent === null || name === undefined ? message : message.replace(sent, name);
  return errorJson({
    error: String(code),
    message: renamed,
    ...(details !== undefined && { details: name === undefined ? details : { ...details, field: name } }),
    ...(seconds !== undefined && { retry_after: Number(seconds) }),
  });
}

/** Details that are no JSON are left out. */
function errorJson({ details, ...error }: JsonObject): CallToolResult {
  const text = jsonOf(details === undefined ? error : { ...error, details }) ?? JSON.stringify(error);
  return { isError: true, content: [{ type: "text", text }], structuredContent: JSON.parse(text) };
}

function jsonOf(value: object): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}
