import type { LintContext } from "./lint-context.ts";

/** Finds schemas of routes that the OpenAPI document cannot show. */
export function lintRouteSchemas({ routes, report }: LintContext): void {
  for (const { method, path, computed } of routes)
    for (const { part, at, problem } of computed) {
      const message = `"${part}" of ${method.value} ${path.value} is any value in the OpenAPI document: ${problem}`;
      report("schema-unknown", at, message);
    }
}
