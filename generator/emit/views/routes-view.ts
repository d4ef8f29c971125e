import type { ModelDefinition } from "../../definition/definition.ts";
import { type Import, importFromKirak } from "../file.ts";
import { literal } from "../literal.ts";
import { hasLimits } from "./policy-view.ts";

/** The view of `templates/routes.hbs`: the routes of one model with their guards. */
export interface RoutesView {
  readonly imports: readonly Import[];
  /** The type of the hook file; null if the model has none. */
  readonly hooks: string | null;
  /** Whether the model has the operations that write, and `restore` as well. */
  readonly writes: boolean;
  readonly restores: boolean;
  /** Whether the model has its own limits. */
  readonly limits: boolean;
  /** The operations that are tools of the module `mcp`, as a literal. Null without such an operation. */
  readonly mcp: string | null;
}

/** The view of `models/<key>/routes.ts`. */
export function routesView(model: ModelDefinition): RoutesView {
  const hooks = model.hooks === null ? null : `${model.typeName}Hooks`;
  const limits = hasLimits(model);
  const hookFile: Import[] = model.hooks === null ? [] : [{ from: model.hooks.file, namespace: "hookFile" }];
  return {
    imports: [
      ...(hooks === null ? [] : [{ from: importFromKirak("hooks"), names: ["defineHooks"] }]),
      { from: importFromKirak("rest"), names: ["crud", "guard", "input", "modelRoutes", "route"] },
      ...hookFile,
      { from: "./model.ts", names: [...(hooks === null ? [] : [`type ${hooks}`]), "model"] },
      { from: "./policy.ts", names: [...(limits ? ["limits"] : []), "policy"] },
      { from: "./validators.ts", names: ["validators"] },
    ],
    hooks,
    writes: !model.readOnly,
    restores: model.softDelete && !model.readOnly,
    limits,
    mcp: model.mcp.length === 0 ? null : literal(model.mcp),
  };
}
