import type { LintContext } from "./lint-context.ts";

/** Finds schemas of routes that the OpenAPI document cannot show. */
export function lintRouteSchemas({ routes, report }: LintContext): void {
  for (const { method, path, computed } of routes)
    for (const { part, at } of computed) {
      const message = `"${part}" of ${method.value} ${path.value} is any value in the OpenAPI document: its library gives no JSON Schema for it`;
      report("schema-unknown", at, message);
    }
}
