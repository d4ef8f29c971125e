import type { Tool } from "@modelcontextprotocol/server";
import type { Request, Response } from "express";
import { guestRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";
import type { JsonObject } from "../../../vocabulary/json.ts";
import { toolName, toolsOf } from "../../../vocabulary/mcp/tools.ts";
import type { OpenApiDocument } from "../../../vocabulary/openapi/document.ts";
import { documentedRoles, roleDocument } from "../../../vocabulary/openapi/role-document.ts";
import type { Operation } from "../../../vocabulary/operations.ts";
import { type Lazy, lazy } from "../../core/concurrency/index.ts";
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
}

interface ExposedOptions {
  readonly models: readonly ExposedModel[];
  readonly routes: readonly ExposedRoute[];
  readonly document: () => Promise<OpenApiDocument>;
}

/** The tools by role, made at their first use and kept. Roles that nothing names share those of `signed_in`. */
export class ExposedTools {
  readonly #options: ExposedOptions;
  readonly #targets: ReadonlyMap<string, ToolTarget>;
  readonly #byRole = new Map<string, RoleTools>();
  readonly #read: Lazy<{ readonly whole: OpenApiDocument; readonly roles: ReadonlySet<string> }>;

  constructor(options: ExposedOptions) {
    this.#options = options;
    this.#read = lazy(async () => {
      const whole = await options.document();
      return { whole, roles: documentedRoles(whole) };
    });
    const ofModels = options.models.flatMap((model) =>
      model.operations.map((operation): [string, ToolTarget] => [
        toolName(model.entry.model.key, operation),
        { model, operation },
      ]),
    );
    this.#targets = new Map([
      ...ofModels,
      ...options.routes.map((route): [string, ToolTarget] => [route.mcp.name, { route }]),
    ]);
  }

  async of({ user_id, role }: Principal): Promise<RoleTools> {
    const { whole, roles } = await this.#read();
    const key = user_id === null ? guestRole : roles.has(role) ? role : signedInRole;
    const known = this.#byRole.get(key) ?? this.#toolsOf(whole, key);
    this.#byRole.set(key, known);
    return known;
  }

  #toolsOf(whole: OpenApiDocument, role: string): RoleTools {
    const { models, routes } = this.#options;
    const exposure = {
      models: new Map(models.map(({ entry, operations }) => [entry.model.key, operations])),
      routes: routes.map(({ method, path, mcp: { name, description = null } }) => ({
        ...{ method, path, name, description },
      })),
    };
    const tools = toolsOf(whole, exposure, role);
    const targets = tools.flatMap(({ name }): [string, ToolTarget][] => {
      const target = this.#targets.get(name);
      return target === undefined ? [] : [[name, target]];
    });
    // The lists of the SDK's types are not read-only.
    const listed: Tool[] = JSON.parse(JSON.stringify(tools));
    return { tools: listed, targets: new Map(targets), document: roleDocument(whole, role) };
  }
}
