import type { LimitDefinition, ModelDefinition } from "../../definition/definition.ts";
import { literal } from "../literal.ts";
import { hasRoutes } from "./index.ts";
import { operationsOf } from "./operations-view.ts";

/** A limit that a model has of its own, as `policy.ts` prints it. */
export interface LimitView {
  readonly operation: string;
  readonly limit: string;
}

/** The limits of a model's own, an operation each; a server reads those of the manifest when it starts. */
export function limitsView(model: ModelDefinition): LimitView[] {
  if (!hasRoutes(model)) return [];
  return operationsOf(model).flatMap((operation) => {
    const limit = model.limits[operation];
    return isOwn(limit) ? [{ operation, limit: literalOf(limit) }] : [];
  });
}

function literalOf({ limit }: LimitDefinition): string {
  if (limit === null) return literal("off");
  const { maxRequests, windowSeconds, per } = limit;
  return literal({ maxRequests, windowSeconds, per });
}

/** Whether `policy.ts` exports limits. */
export function hasLimits(model: ModelDefinition): boolean {
  return limitsView(model).length > 0;
}

function isOwn({ origin }: LimitDefinition): boolean {
  return origin !== "manifest";
}
