import type { ConditionRelation, ConditionScope } from "./condition-scope.ts";

/** So far away a model is looked for. */
const maxWay = 3;

/** So many ways are named. */
const mostWays = 3;

type RelationWay = readonly ConditionRelation[];

/** The ways over relations to the model that a name means, in the plural or not: those of one relation, else all that are near, the shortest first. */
export function waysTo(name: string, from: ConditionScope): readonly RelationWay[] {
  const found: RelationWay[] = [];
  let open: readonly RelationWay[] = [[]];
  for (let length = 1; length <= maxWay; length++) {
    const longer = open.flatMap((way) => goOn(way, from));
    found.push(...longer.filter((way) => isMeant(name, way.at(-1)?.target.model ?? "")));
    if (length === 1 && found.length > 0) break;
    open = longer.filter((way) => !found.includes(way));
  }
  return found.slice(0, mostWays);
}

/** A way with one relation more, to models that it has not been to. */
function goOn(way: RelationWay, from: ConditionScope): RelationWay[] {
  const been = [from.model, ...way.map(({ target }) => target.model)];
  const relations = new Set((way.at(-1)?.target ?? from).relations.values());
  return [...relations].filter(({ target }) => !been.includes(target.model)).map((next) => [...way, next]);
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
export function isMeant(name: string, model: string): boolean {
  const [one, other] = [name.toLowerCase(), model.toLowerCase()];
  return one === other || isPlural(one, other) || isPlural(other, one);
}

function isPlural(plural: string, singular: string): boolean {
  return plural === `${singular}s` || plural === singular.replace(/y$/, "ies");
}
