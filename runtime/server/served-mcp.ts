import { readFile } from "node:fs/promises";
import type { Request, RequestHandler, Response } from "express";
import type { Operation } from "../../vocabulary/operations.ts";
import { callableRoutes } from "../api/custom-routes/index.ts";
import type { ExposedModel } from "../api/mcp/index.ts";
import { lazy } from "../core/concurrency/index.ts";
import { type Config, ConfigError } from "../core/config/index.ts";
import { onPaths } from "../core/http/index.ts";
import type { Caller, CrudServices } from "../data/operations/index.ts";
import { derivedKeys } from "../modules/auth/index.ts";
import type { OperationCounters, RateLimits } from "../modules/rate-limit/index.ts";
import type { Service } from "./service.ts";

interface McpParts {
  readonly services: CrudServices;
  readonly counters: ReadonlyMap<string, OperationCounters>;
  readonly limits: RateLimits;
  readonly callerOf: (request: Request, response: Response) => Promise<Caller>;
  readonly bodyLimitBytes: number;
}

/** The endpoint of MCP, if the module is on. */
export function servedMcp(service: Service, config: Config, parts: McpParts): RequestHandler[] {
  const { mcp, name, servicePrefix, secrets } = config;
  const { folder } = service;
  if (mcp === null) return [];
  if (folder === null)
    throw new ConfigError(["the module mcp needs the generated folder: pass `folder` to defineService"], []);
  const { services, counters, limits } = parts;
  const models = service.models.flatMap((entry): ExposedModel[] => {
    if (entry.mcp.length === 0) return [];
    const guardOf = (operation: Operation) => {
      const route = entry.routes.get(`/${operation}`);
      if (route === undefined) throw new Error(`${entry.model.key} has no operation ${operation}`);
      return route;
    };
    return [
      {
        entry,
        operations: entry.mcp,
        counters: counters.get(entry.model.key),
        authorize: (operation, caller) => guardOf(operation).authorize(caller),
      },
    ];
  });
  const routes = callableRoutes(service.routes, { limits, services });
  const { mcpCall: record } = services.modules.monitoring(services.log);
  const stateKeys = derivedKeys(secrets.jwt, "mcp confirmations");
  // Loaded for the first request: the SDK has some 40 modules.
  const endpoint = lazy(async () => {
    const { roleTools, mcpEndpoint } = await import("../api/mcp/index.ts");
    const document = async () => JSON.parse(await readFile(new URL("openapi.json", folder), "utf8"));
    const toolsOf = roleTools({ models, routes, document });
    return mcpEndpoint({ ...parts, ...mcp, name, config, toolsOf, stateKeys, record });
  });
  const serve: RequestHandler = async (request, response) => (await endpoint())(request, response);
  return [onPaths([`${servicePrefix}/mcp`], serve)];
}
