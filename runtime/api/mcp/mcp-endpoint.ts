import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Request, Response } from "express";
import type { Config } from "../../core/config/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import { credentialedOrigins, methodNotAllowed, readDoublesBody } from "../../core/http/index.ts";
import type { Caller } from "../../data/operations/index.ts";
import { sentKeyPrefix } from "../../modules/auth/index.ts";
import type { ExposedTools } from "./exposed-tools.ts";
import { type McpServerOptions, mcpServer } from "./mcp-server.ts";

export interface McpEndpointOptions extends McpServerOptions {
  readonly config: Pick<Config, "baseUrl" | "cors">;
  readonly tools: ExposedTools;
  readonly callerOf: (request: Request, response: Response) => Promise<Caller>;
  readonly bodyLimitBytes: number;
}

/** Serves `POST {service_prefix}/mcp`. Checks method, origin, credential and body, in this order. */
export function mcpEndpoint(
  options: McpEndpointOptions,
): (request: Request, response: Response) => Promise<void> {
  const allowsOrigin = originTest(options.config);
  return async (request, response) => {
    request.context.route = request.baseUrl + request.path;
    if (request.method !== "POST") throw methodNotAllowed(["POST"]);
    const { origin } = request.headers;
    // A page of another site could reach a service of the local network (DNS rebinding).
    if (origin !== undefined && !allowsOrigin(origin))
      throw new ServiceError(
        "PERMISSION_DENIED",
        "Pages of this origin cannot call. Allow it in cors.origins.",
      );
    const own = withoutCookie(request);
    const caller = await callerOf(own, response, options);
    const body = await readDoublesBody(request, options.bodyLimitBytes);
    if (body === undefined) throw new ServiceError("VALIDATION_ERROR", "The body must be a JSON object.");
    const tools = await options.tools.of(caller.principal);
    const exchange = { caller, name: callerName(own, caller), request: own, response };
    const onerror = (error: Error) => options.services.log.debug({ err: error }, "a message of MCP failed");
    const handler = createMcpHandler(() => mcpServer(options, tools, exchange), {
      maxSubscriptions: 0,
      onerror,
    });
    await toNodeHandler(handler, { onerror })(messageOf(request), counted(response), body);
  };
}

/** `user:7`, `key:kk_12345678` or `guest`. */
function callerName(request: Request, { principal: { user_id } }: Caller): string {
  if (user_id === null) return "guest";
  const prefix = sentKeyPrefix(request);
  return prefix === null ? `user:${user_id}` : `key:${prefix}`;
}

/** What the SDK reads of a request; its body was read already. It builds a URL, for which any host and path do. */
function messageOf({ method, headers }: Request) {
  const sent = { ...headers, host: "localhost", "content-type": "application/json" };
  return { method, url: "/mcp", headers: sent, async *[Symbol.asyncIterator]() {} };
}

/** A response that counts the bytes of its body. */
function counted(response: Response) {
  const { context } = response.req;
  return {
    writeHead: (status: number, headers?: Record<string, string>) => response.writeHead(status, headers),
    write(chunk: string | Uint8Array) {
      context.sentBytes = (context.sentBytes ?? 0) + Buffer.byteLength(chunk);
      return response.write(chunk);
    },
    end: () => response.end(),
    on: (event: string, listener: (...args: unknown[]) => void) => response.on(event, listener),
    get destroyed() {
      return response.destroyed;
    },
  };
}

/** The cookie is never read: a page could send it without its user. */
function withoutCookie(request: Request): Request {
  const { cookie: _, ...headers } = request.headers;
  return Object.create(request, { headers: { value: headers } });
}

/** Errors: those of the credential. */
async function callerOf(
  request: Request,
  response: Response,
  options: Pick<McpEndpointOptions, "callerOf">,
): Promise<Caller> {
  try {
    return await options.callerOf(request, response);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status !== 401) throw error;
    const { code, message, details, status, cause } = error;
    throw new ServiceError(code, message, details, {
      ...{ status, cause, headers: { ...error.headers, "WWW-Authenticate": "Bearer" } },
    });
  }
}

function originTest({ baseUrl, cors }: Pick<Config, "baseUrl" | "cors">): (origin: string) => boolean {
  const own = new URL(baseUrl).origin;
  const isAllowed = credentialedOrigins(cors);
  const isOpen = cors?.origins.includes("*") === true;
  return (origin) => origin === own || isOpen || isAllowed(origin);
}
