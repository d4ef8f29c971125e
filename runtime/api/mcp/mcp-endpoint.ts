import { toNodeHandler } from "@modelcontextprotocol/node";
import { createMcpHandler } from "@modelcontextprotocol/server";
import type { Request, Response } from "express";
import type { Config } from "../../core/config/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import { credentialedOrigins, methodNotAllowed, readDoublesBody } from "../../core/http/index.ts";
import type { Caller } from "../../data/operations/index.ts";
import { sentKeyPrefix } from "../../modules/auth/index.ts";
import { type McpServerOptions, mcpServer } from "./mcp-server.ts";

export interface McpEndpointOptions extends McpServerOptions {
  readonly config: Pick<Config, "baseUrl" | "cors">;
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
    const caller = await callerOf(request, response, options);
    const body = await readDoublesBody(request, options.bodyLimitBytes);
    if (body === undefined) throw new ServiceError("VALIDATION_ERROR", "The body must be a JSON object.");
    const handler = createMcpHandler(
      () => mcpServer(options, { caller, name: callerName(request, caller), request, response }),
      {
        maxSubscriptions: 0,
        onerror: (error) => options.services.log.debug({ err: error }, "MCP"),
      },
    );
    await toNodeHandler(handler)(messageOf(request), response, body);
  };
}

/** `user:7`, `key:kk_12345678` or `guest`. */
function callerName(request: Request, { principal: { user_id } }: Caller): string {
  if (user_id === null) return "guest";
  const prefix = sentKeyPrefix(request);
  return prefix === null ? `user:${user_id}` : `key:${prefix}`;
}

/** The parts of a request that the SDK reads; its body was read already. */
function messageOf({ method, url, headers }: Request) {
  return { method, url, headers, async *[Symbol.asyncIterator]() {} };
}

/** The cookie is never read: a page could send it without its user. Errors: those of the credential. */
async function callerOf(
  request: Request,
  response: Response,
  options: Pick<McpEndpointOptions, "callerOf">,
): Promise<Caller> {
  const { cookie: _, ...headers } = request.headers;
  const withoutCookie: Request = Object.create(request, { headers: { value: headers } });
  try {
    return await options.callerOf(withoutCookie, response);
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
