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
import { mapKeys, type SecretKeys } from "../../core/config/index.ts";
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
import type { ExactJson } from "./exact-json.ts";
import type { RoleTools, ToolTarget } from "./exposed-tools.ts";
import { type ConfirmedCall, readModelCall } from "./model-calls.ts";
import { listedResources, resourceText } from "./resources.ts";

/** What a server says about itself, and what it runs. */
export interface McpServerOptions {
  readonly name: string;
  readonly instructions: string | null;
  readonly services: CrudServices;
  /** The first one signs the states of confirmations; all verify them. */
  readonly stateKeys: SecretKeys<Buffer>;
  readonly record: (call: McpCall) => void;
}

/** One HTTP request. */
interface Exchange {
  readonly caller: Caller;
  /** The name of the caller in records. */
  readonly name: string;
  readonly request: Request;
  readonly response: Response;
  readonly results: ExactJson;
}

/** The wait for a form, in seconds. */
const ttlSeconds = 600;

/** Lists can be kept for a minute: roles and tools only change with a deployment. */
const listed = { ttlMs: 60_000, cacheScope: "private" } as const;

/** The server of one request. Its tools are those of the caller. */
export function mcpServer(options: McpServerOptions, own: RoleTools, exchange: Exchange): Server {
  const { name, instructions, stateKeys } = options;
  const codecOf = (key: Buffer) =>
    createRequestStateCodec<AskedState>({ key, ttlSeconds, bind: () => `${name} ${exchange.name}` });
  const [current, ...previous] = mapKeys(stateKeys, codecOf);
  const server = new Server(
    { name, version: own.document.info.version },
    {
      capabilities: { tools: {}, resources: {} },
      ...(instructions !== null && { instructions }),
      cacheHints: { "tools/list": listed, "resources/list": listed, "resources/read": listed },
      requestState: {
        verify: (state, context) =>
          Promise.any([current, ...previous].map((codec) => codec.verify(state, context))),
      },
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
    const { name: tool, arguments: args = {} } = params;
    const target = own.targets.get(tool);
    if (target === undefined) throw new ProtocolError(-32602, `Tool ${tool} not found`);
    const mint = (state: AskedState) => current.mint(state, context);
    return new ToolCall({ options, exchange, context, mint, tool, target, args }).answer();
  });
  return server;
}

/** What a call needs. */
interface CallScope {
  readonly options: McpServerOptions;
  readonly exchange: Exchange;
  readonly context: ServerContext;
  /** Signs the state of a form. */
  readonly mint: (state: AskedState) => Promise<string>;
  readonly tool: string;
  readonly target: ToolTarget;
  readonly args: JsonObject;
}

type ToolAnswer = CallToolResult | InputRequiredResult;

/** One call of a tool. */
class ToolCall {
  readonly #scope: CallScope;
  /** What the person answered in this call's form; null if there was none. */
  #answered: Answered | null = null;
  #code: string | null = null;

  constructor(scope: CallScope) {
    this.#scope = scope;
  }

  /** Runs the tool, and records the call. Errors of the operation become error results. */
  async answer(): Promise<ToolAnswer> {
    const { exchange, options, tool, target } = this.#scope;
    const begun = performance.now();
    const answer = await this.#run().catch((thrown: unknown) => this.#failed(thrown));
    const status = this.#code === null ? "ok" : "error";
    options.record({
      server: options.name,
      tool,
      operation_ref:
        "route" in target
          ? `${target.route.method} ${target.route.path}`
          : `${target.model.entry.model.key}.${target.operation}`,
      caller: exchange.name,
      status: "content" in answer ? status : "asked",
      ...(this.#code !== null && { error_code: this.#code }),
      ...(this.#answered !== null && { confirmation: this.#answered }),
      duration_ms: performance.now() - begun,
    });
    return answer;
  }

  async #run(): Promise<ToolAnswer> {
    const { exchange, options, target, args } = this.#scope;
    const { caller, request, response } = exchange;
    if ("route" in target) return this.#succeeded(await target.route.call(args, caller, exchange));
    const { model, operation } = target;
    request.context.model = model.entry.model.key;
    request.context.operation = operation;
    await countRequest(model.counters?.get(operation), caller, response);
    const granted = model.authorize(operation, caller.principal);
    const context = operationContext(options.services, model.entry, caller);
    const call = readModelCall(operation, context, granted, args);
    if ("run" in call) return this.#succeeded(await call.run());
    const fields = isJsonObject(args["data"]) ? Object.keys(args["data"]) : [];
    return this.#confirm(call, (rows) => questionOf(operation, model.entry.model.key, rows, fields));
  }

  async #confirm(call: ConfirmedCall, question: (rows: number) => string): Promise<ToolAnswer> {
    const { context, tool, args } = this.#scope;
    const write = async (most: number) => {
      const done = await call.runUpTo(most);
      return typeof done === "string" ? this.#succeeded(done) : this.#ask(done, question(done));
    };
    if (!showsForms(context)) {
      if (args["confirm"] === true) return write(Number.POSITIVE_INFINITY);
      return this.#unconfirmed(await call.rows(), "Ask a person, and then send `confirm: true`.");
    }
    const state = answeredState(context, tool, args);
    const answered = state === null ? null : answerOf(context);
    if (state === null || answered === null) {
      const rows = await call.rows();
      return this.#ask(rows, question(rows));
    }
    this.#answered = answered;
    if (answered === "accepted") return write(state.rows);
    return this.#unconfirmed(state.rows, `The person has ${answered}.`);
  }

  async #ask(rows: number, message: string): Promise<InputRequiredResult> {
    const { mint, tool, args } = this.#scope;
    const confirm = inputRequired.elicit({
      message,
      requestedSchema: {
        type: "object",
        properties: { confirm: { type: "boolean", title: message } },
        required: ["confirm"],
      },
    });
    const requestState = await mint({ tool, args: argumentsHash(args), rows });
    return inputRequired({ inputRequests: { confirm }, requestState });
  }

  #unconfirmed(rows: number, reason: string): CallToolResult {
    const message = `Nothing was written. ${reason}`;
    return this.#refused({ error: "CONFIRMATION_REQUIRED", message, details: { rows } });
  }

  #failed(thrown: unknown): CallToolResult {
    const { context } = this.#scope.exchange.request;
    const error = serviceErrorOf(thrown, context);
    // Work after the response is only for calls that succeed.
    context.errorCode = error.code;
    context.errorMessage = error.message;
    return this.#refused(bodyOf(error));
  }

  #succeeded(json: string): CallToolResult {
    return this.#result(json.startsWith("{") ? json : `{"data":${json}}`);
  }

  #refused(body: ErrorBody): CallToolResult {
    this.#code = body.error;
    return { isError: true, ...this.#result(textOf(body)) };
  }

  #result(text: string): CallToolResult {
    const structuredContent = this.#scope.exchange.results.placeOf(text);
    return { content: [{ type: "text", text }], structuredContent };
  }
}

/** The structured content of an error result. */
interface ErrorBody {
  readonly error: string;
  readonly message: string;
  readonly details?: JsonObject | undefined;
  readonly retry_after?: number | undefined;
}

/** The names that REST has for arguments of tools. */
const argumentNames: ReadonlyMap<unknown, string> = new Map([
  ["select_fields", "select"],
  ["page__after", "after"],
]);

function bodyOf({ code, message, details, headers }: ServiceError): ErrorBody {
  const field = details?.["field"];
  const name = argumentNames.get(field);
  const seconds = headers["Retry-After"];
  return {
    error: String(code),
    message: name === undefined ? message : message.replace(String(field), name),
    details: details && withArgumentNames(details),
    retry_after: seconds === undefined ? undefined : Number(seconds),
  };
}

/** `details` with the names of arguments, also in its `errors`. */
function withArgumentNames(details: JsonObject): JsonObject {
  const { field, errors } = details;
  const name = argumentNames.get(field);
  return {
    ...details,
    ...(name !== undefined && { field: name }),
    ...(Array.isArray(errors) && {
      errors: errors.map((each: unknown) => (isJsonObject(each) ? withArgumentNames(each) : each)),
    }),
  };
}

/** Details that are no JSON are left out. */
function textOf({ details, ...error }: ErrorBody): string {
  try {
    return JSON.stringify({ ...error, details });
  } catch {
    return JSON.stringify(error);
  }
}
