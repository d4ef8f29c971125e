import type { Tool } from "@modelcontextprotocol/server";
import type { Request, Response } from "express";
import { guestRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";
import type { JsonObject } from "../../../vocabulary/json.ts";
import { documentedModelNames, type McpRoute, toolName, toolsOf } from "../../../vocabulary/mcp/tools.ts";
import type { OpenApiDocument } from "../../../vocabulary/openapi/document.ts";
import { documentedRoles, roleDocument } from "../../../vocabulary/openapi/role-document.ts";
import type { Operation } from "../../../vocabulary/operations.ts";
import { lazy } from "../../core/concurrency/index.ts";
import type { Caller, ModelEntry } from "../../data/operations/index.ts";
import type { Grant, Principal } from "../../models/access/index.ts";
import type { OperationCounters } from "../../modules/rate-limit/index.ts";

/** A model with tools. */
export interface ExposedModel {
  readonly entry: ModelEntry;
  readonly operations: readonly Operation[];
  readonly counters: OperationCounters | undefined;
  /** Errors: 403 `PERMISSION_DENIED`. */
  readonly authorize: (operation: Operation, caller: Principal) => Grant;
}

/** A custom route that is a tool. */
export interface ExposedRoute {
  readonly method: string;
  readonly path: string;
  readonly mcp: { readonly name: string; readonly description?: string };
  /** Returns the `data` of the response as JSON text. */
  readonly call: (
    args: JsonObject,
    caller: Caller,
    exchange: { readonly request: Request; readonly response: Response },
  ) => Promise<string>;
}

/** What a tool runs. */
export type ToolTarget =
  | { readonly model: ExposedModel; readonly operation: Operation }
  | { readonly route: ExposedRoute };

/** The tools of a role, and its document. */
export interface RoleTools {
  readonly tools: Tool[];
  /** By name. */
  readonly targets: ReadonlyMap<string, ToolTarget>;
  readonly document: OpenApiDocument;
  /** The names of the models in documents. */
  readonly names: ReturnType<typeof documentedModelNames>;
}

interface ExposedOptions {
  readonly models: readonly ExposedModel[];
  readonly routes: readonly ExposedRoute[];
  readonly document: () => Promise<OpenApiDocument>;
}

/** The tools of a caller. Those of a role are made at their first use and kept. */
export function roleTools({
  models,
  routes,
  document,
}: ExposedOptions): (caller: Principal) => Promise<RoleTools> {
  const all = new Map<string, ToolTarget>([
    ...models.flatMap((model) =>
      model.operations.map(
        (operation) => [toolName(model.entry.model.key, operation), { model, operation }] as const,
      ),
    ),
    ...routes.map((route) => [route.mcp.name, { route }] as const),
  ]);
  const exposure = {
    models: new Map(models.map(({ entry, operations }) => [entry.model.key, operations])),
    routes: routes.map(
      ({ method, path, mcp: { name, description = null } }): McpRoute => ({
        method,
        path,
        name,
        description,
      }),
    ),
  };
  const read = lazy(async () => {
    const whole = await document();
    return { whole, roles: documentedRoles(whole) };
  });
  const make = (whole: OpenApiDocument, role: string): RoleTools => {
    const reached = roleDocument(whole, role);
    // The lists of the SDK's types are not read-only.
    const tools: Tool[] = JSON.parse(JSON.stringify(toolsOf(reached, whole, exposure)));
    const names = new Set(tools.map(({ name }) => name));
    const targets = new Map([...all].filter(([name]) => names.has(name)));
    return { tools, targets, document: reached, names: documentedModelNames(whole) };
  };
  const byRole = new Map<string, RoleTools>();
  return async ({ user_id, role }) => {
    const { whole, roles } = await read();
    // Roles that nothing names share those of `signed_in`.
    const key = user_id === null ? guestRole : roles.has(role) ? role : signedInRole;
    const own = byRole.get(key) ?? make(whole, key);
    byRole.set(key, own);
    return own;
  };
}
