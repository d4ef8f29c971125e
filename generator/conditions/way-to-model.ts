import type { ConditionRelation, ConditionScope } from "./condition-scope.ts";

/** So far away a model is looked for. */
const maxWay = 3;

/** The shortest way over relations to the model that a name means, in the plural or not; null where none is near. */
export function wayTo(name: string, from: ConditionScope): readonly ConditionRelation[] | null {
  const seen = new Set([from.model]);
  let ways: (readonly ConditionRelation[])[] = [[]];
  for (let length = 1; length <= maxWay; length++) {
    const longer: (readonly ConditionRelation[])[] = [];
    for (const way of ways) {
      for (const relation of new Set((way.at(-1)?.target ?? from).relations.values())) {
        const { model } = relation.target;
        if (isMeant(name, model)) return [...way, relation];
        if (seen.has(model)) continue;
        seen.add(model);
        longer.push([...way, relation]);
      }
    }
    ways = longer;
  }
  return null;
}

/** The `has_many` that a model could declare for a name: others refer to it, and it does not say so. */
export function relationToDeclare(name: string, from: ConditionScope): string | null {
  let between: string | null = null;
  for (const other of from.models()) {
    const parents = [...other.relations.values()].filter(({ kind }) => kind === "belongs_to");
    const back = parents.find(({ target }) => target === from);
    if (back === undefined) continue;
    if (isMeant(name, other.model)) return `declare it: ${declaration(name, other, back)}`;
    const beyond = parents.find(({ target }) => target !== from && isMeant(name, target.model));
    if (beyond === undefined) continue;
    const { model } = other;
    between ??= `"${model}" stands between them: declare ${declaration(model, other, back)}, and write EXISTS (${model}.${beyond.name} WHERE …)`;
  }
  return between;
}

function declaration(name: string, { model }: ConditionScope, { field, target }: ConditionRelation): string {
  const relationship = JSON.stringify({ model, foreign_key: field });
  return `"${name}": { "type": "has_many", "relationship": ${relationship} } in the fields of "${target.model}"`;
}

/** Whether a name is that of a model, in the singular or in the plural. */
function isMeant(name: string, model: string): boolean {
  const [one, other] = [name.toLowerCase(), model.toLowerCase()];
  return one === other || isPlural(one, other) || isPlural(other, one);
}

function isPlural(plural: string, singular: string): boolean {
  return plural === `${singular}s` || plural === singular.replace(/y$/, "ies");
}
