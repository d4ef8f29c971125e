import { leadingFields } from "./index-lines.ts";
import type { LintContext } from "./lint-context.ts";

/** Searchable fields without an index, on models that somebody may search. */
export function lintSearch({ models, report }: LintContext): void {
  for (const { node, definition, rules } of models) {
    if (!rules.some(({ operation }) => operation === "search")) continue;
    const leading = leadingFields(definition);
    for (const { name, searchable } of definition.fields) {
      const field = node.fields.get(name);
      if (!searchable || field === undefined || leading.has(name)) continue;
      const message = `each search of "${definition.key}" reads every row to look into "${name}", which has no index`;
      const hint =
        '"index": true serves order and filters on the whole value; to find substrings of a large table takes a trigram index (docs/lint.md)';
      report("unindexed-search", field.keys.get("searchable") ?? field.at, message, hint);
    }
  }
}
