import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Request, Response } from "express";
import { isJsonObject, type JsonObject } from "../../../vocabulary/json.ts";
import type { Config } from "../../core/config/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import { credentialedOrigins, methodNotAllowed, readJsonBody, refuseRounded } from "../../core/http/index.ts";
import type { Caller } from "../../data/operations/index.ts";
import type { Principal } from "../../models/access/index.ts";
import { sentKeyPrefix } from "../../modules/auth/index.ts";
import { ExactJson } from "./exact-json.ts";
import type { RoleTools } from "./exposed-tools.ts";
import { type McpServerOptions, mcpServer } from "./mcp-server.ts";

interface McpEndpointOptions extends McpServerOptions {
  readonly config: Pick<Config, "baseUrl" | "cors">;
  readonly toolsOf: (caller: Principal) => Promise<RoleTools>;
  readonly callerOf: (request: Request, response: Response) => Promise<Caller>;
  readonly bodyLimitBytes: number;
}

/** Serves `POST {service_prefix}/mcp`. Checks method, origin, credential and body, in this order. */
export function mcpEndpoint(
  options: McpEndpointOptions,
): (request: Request, response: Response) => Promise<void> {
  const { log } = options.services;
  const onerror = (error: Error) => log.debug({ err: error }, "a message of MCP failed");
  const allowsOrigin = originTest(options.config);
  return async (received, response) => {
    received.context.route = received.baseUrl + received.path;
    if (received.method !== "POST") throw methodNotAllowed(["POST"]);
    const { origin } = received.headers;
    // A page of another site could reach a service of the local network (DNS rebinding).
    if (origin !== undefined && !allowsOrigin(origin))
      throw new ServiceError(
        "PERMISSION_DENIED",
        "Pages of this origin cannot call. Allow it in cors.origins.",
      );
    const request = withoutCookie(received);
    const caller = await options.callerOf(request, response).catch(challenge);
    const parsedBody = await readJsonBody(request, options.bodyLimitBytes);
    if (parsedBody === undefined)
      throw new ServiceError("VALIDATION_ERROR", "The body must be a JSON object.");
    refuseRounded(withoutArguments(parsedBody));
    const tools = await options.toolsOf(caller.principal);
    const results = new ExactJson();
    const exchange = { caller, name: callerName(request, caller), request, response, results };
    const server = () => mcpServer(options, tools, exchange);
    const handler = createMcpHandler(server, { maxSubscriptions: 0, onerror });
    const fetch: typeof handler.fetch = async (message) => {
      const answer = await results.in(await handler.fetch(message, { parsedBody }));
      request.context.sentBytes = Number(answer.headers.get("content-length"));
      return answer;
    };
    await toNodeHandler({ fetch }, { onerror })(messageOf(request), response);
  };
}

/** The parts of a message that the SDK reads. It passes the arguments of tools on as they are. */
function withoutArguments(message: JsonObject): JsonObject {
  const { params } = message;
  return isJsonObject(params) ? { ...message, params: { ...params, arguments: null } } : message;
}

/** `user:7`, `key:kk_12345678` or `guest`. */
function callerName(request: Request, { principal: { user_id } }: Caller): string {
  if (user_id === null) return "guest";
  const prefix = sentKeyPrefix(request);
  return prefix === null ? `user:${user_id}` : `key:${prefix}`;
}

const readHeaders = ["accept", "mcp-method", "mcp-name", "mcp-protocol-version"] as const;

/** What the SDK reads of a request. It builds a URL, for which any host and path do. */
function messageOf({ method, headers }: Request) {
  const sent = Object.fromEntries(readHeaders.map((name) => [name, headers[name]]));
  return {
    ...{ method, url: "/mcp", headers: { ...sent, "content-type": "application/json" } },
    async *[Symbol.asyncIterator]() {},
  };
}

/** The cookie is never read: a page could send it without its user. */
function withoutCookie(request: Request): Request {
  const { cookie: _, ...headers } = request.headers;
  return Object.create(request, { headers: { value: headers } });
}

/** Throws the error of a credential, with `WWW-Authenticate` if it is invalid. */
function challenge(error: unknown): never {
  if (!(error instanceof ServiceError) || error.status !== 401) throw error;
  const { code, message, details, status, cause } = error;
  const headers = { ...error.headers, "WWW-Authenticate": "Bearer" };
  throw new ServiceError(code, message, details, { status, cause, headers });
}

function originTest({ baseUrl, cors }: Pick<Config, "baseUrl" | "cors">): (origin: string) => boolean {
  const own = new URL(baseUrl).origin;
  const isAllowed = credentialedOrigins(cors);
  const isOpen = cors?.origins.includes("*") === true;
  return (origin) => origin === own || isOpen || isAllowed(origin);
}
