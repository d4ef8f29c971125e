import type { ModelDefinition } from "../../definition/definition.ts";
import { type Import, importFromKirak } from "../file.ts";
import { hasLimits } from "./policy-view.ts";

/** What `templates/routes.hbs` prints: the routes of one model with their guards. */
export interface RoutesView {
  readonly imports: readonly Import[];
  /** Type of the hook file, or null where the model has none. */
  readonly hooks: string | null;
  readonly softDelete: boolean;
  /** The model has limits of its own. */
  readonly limits: boolean;
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
    softDelete: model.softDelete,
    limits,
  };
}
