import { coversRole } from "../../vocabulary/accounts/role-names.ts";
import { toolName } from "../../vocabulary/mcp/tools.ts";
import type { Operation } from "../../vocabulary/operations.ts";
import type { ModelDefinition, RouteDefinition, ServiceDefinition } from "./definition.ts";

/** A tool of the module `mcp`. */
export interface ExposedTool {
  readonly name: string;
  /** The roles whose rules open it, without those that wider ones include. Empty if no role can call it. */
  readonly roles: readonly string[];
}

/** A custom route that is a tool. */
export interface RouteTool extends ExposedTool {
  readonly route: RouteDefinition;
  readonly description: string | null;
}

/** All tools: operations in model order, and then routes by path. */
export function exposedTools(definition: ServiceDefinition): ExposedTool[] {
  const ofModels = definition.models.flatMap((model) =>
    model.mcp.map((operation) => ({
      name: toolName(model.key, operation),
      roles: rolesOfOperation(model, operation),
    })),
  );
  return [...ofModels, ...routeTools(definition)];
}

/** The custom routes that are tools, by path. */
export function routeTools({ routes }: Pick<ServiceDefinition, "routes">): RouteTool[] {
  return routes
    .flatMap((route) => {
      const { mcp, access } = route;
      return mcp === null ? [] : [{ ...mcp, route, roles: widest(access) }];
    })
    .toSorted(({ route: one }, { route: other }) =>
      one.path === other.path ? (one.method < other.method ? -1 : 1) : one.path < other.path ? -1 : 1,
    );
}

/** The roles that rules of an operation name, without those that wider ones include. */
export function rolesOfOperation({ access }: ModelDefinition, operation: Operation): string[] {
  const { upsert, operations } = access;
  const rules = operation === "upsert" ? [...upsert.insert, ...upsert.update] : operations[operation];
  return widest(rules.map(({ role }) => role));
}

/** Roles without those that wider ones include, each once. */
export function widest(roles: readonly string[]): string[] {
  const names = [...new Set(roles)];
  return names.filter((role) => !names.some((other) => other !== role && coversRole(other, role)));
}
