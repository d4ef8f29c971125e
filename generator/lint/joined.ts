import type { ModelDefinition } from "../definition/definition.ts";
import type { LintContext, LintedModel } from "./lint-context.ts";

/** A model with the rules by which callers read its rows. */
export interface ReadModel extends Pick<LintedModel, "node" | "definition" | "rules"> {
  /** Public models whose joins lead to it, where it is internal. */
  readonly from: readonly string[];
}

/** All models whose rows callers read: public ones, and internal ones that joins of these lead to. */
export function readModels({ graph, definitions, models }: LintContext): ReadModel[] {
  const joined = new Map<string, LintedModel[]>();
  for (const model of models)
    for (const key of internalBeyond(model.definition, definitions))
      joined.set(key, [...(joined.get(key) ?? []), model]);
  const internal = [...joined].flatMap(([key, origins]): ReadModel[] => {
    const [node, definition] = [graph.get(key), definitions.get(key)];
    if (node === undefined || definition === undefined) return [];
    const rules = origins.flatMap((origin) =>
      origin.rules.filter(({ operation }) => operation === "fetch" || operation === "search"),
    );
    return [{ node, definition, rules, from: origins.map((origin) => origin.definition.key) }];
  });
  return [...models.map((model) => ({ ...model, from: [] })), ...internal];
}

/** Internal models that relations lead to, over other internal ones too. */
function internalBeyond(
  start: ModelDefinition,
  definitions: LintContext["definitions"],
  seen = new Set<string>(),
): ReadonlySet<string> {
  for (const relation of start.relations) {
    const target = definitions.get(relation.model);
    if (target === undefined || !target.internal || seen.has(target.key)) continue;
    seen.add(target.key);
    internalBeyond(target, definitions, seen);
  }
  return seen;
}
