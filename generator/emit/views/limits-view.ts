import type { Operation } from "../../../vocabulary/operations.ts";
import type { LimitDefinition, ModelDefinition } from "../../definition/definition.ts";
import { literal } from "../literal.ts";
import { hasRoutes, operationsOf } from "./operations-view.ts";

/** A limit that a model has of its own, as `policy.ts` prints it. */
export interface LimitView {
  readonly operation: Operation | "default";
  readonly limit: string;
}

/** The limits of a model's own, of all operations and then of single ones; a server reads those of the manifest when it starts. */
export function limitsView(model: ModelDefinition): LimitView[] {
  if (!hasRoutes(model)) return [];
  const limits = operationsOf(model).map((operation) => ({ operation, limit: model.limits[operation] }));
  const shared = limits.filter(({ limit: { origin } }) => origin === "default" || origin === "model");
  const own = limits.filter(({ limit: { origin } }) => origin === "entry");
  return [
    ...shared.slice(0, 1).map(({ limit }) => ({ operation: "default" as const, limit: literalOf(limit) })),
    ...own.map(({ operation, limit }) => ({ operation, limit: literalOf(limit) })),
  ];
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
