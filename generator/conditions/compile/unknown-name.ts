import { rowItself } from "../../../vocabulary/conditions/conditions.ts";
import { didYouMean } from "../../../vocabulary/nearest.ts";
import { callerHint } from "../hints/foreign-names.ts";
import type { ConditionRelation, NamePosition, ScopeModel } from "./condition-scope.ts";

/** Why a name is unknown, and a hint. */
export interface UnknownName {
  readonly message: string;
  readonly hint: string | null;
  /** The model without such a field, if only the name suggests a meaning. */
  readonly unknownIn?: ScopeModel;
  /** The rows for EXISTS, and the name within it. The hint is then a whole comparison. */
  readonly exists?: ManyRows;
}

/** Rows that a plain path cannot reach. */
export interface ManyRows {
  readonly path: string;
  /** The field within a row of the path, and the source text. */
  readonly name: string;
  readonly written: string;
}

/** A plain path over a `has_many` reaches many rows. EXISTS tests for one of them. */
export function acrossMany(names: readonly string[], relations: readonly ConditionRelation[]): UnknownName {
  const start = names.length - 1 - relations.length;
  const last = relations.findLastIndex(({ kind }) => kind === "has_many");
  const many = relations[last];
  const path = names.slice(0, start + last + 1).join(".");
  const name = names.slice(start + last + 1).join(".");
  return {
    message: `"${many?.name}" is a has_many, so it can have many rows`,
    hint: null,
    exists: { path, name, written: names.join(".") },
  };
}

/** The maximum length of a path in the search for a model. */
const longestPath = 3;

/** The maximum number of paths in a hint. */
const mostPaths = 3;

type RelationPath = readonly ConditionRelation[];

/** Paths to the model with a name, singular or plural: a single relation, or all short paths. */
function pathsTo(name: string, from: ScopeModel): readonly RelationPath[] {
  const found: RelationPath[] = [];
  let open: readonly RelationPath[] = [[]];
  for (let length = 1; length <= longestPath; length++) {
    const longer = open.flatMap((way) => goOn(way, from));
    found.push(...longer.filter((way) => isMeant(name, way.at(-1)?.target.model ?? "")));
    if (length === 1 && found.length > 0) break;
    open = longer.filter((way) => !found.includes(way));
  }
  return found.slice(0, mostPaths);
}

/** Extends a path by one relation, to models that it has not visited. */
function goOn(way: RelationPath, from: ScopeModel): RelationPath[] {
  const been = [from.model, ...way.map(({ target }) => target.model)];
  const relations = new Set((way.at(-1)?.target ?? from).relations.values());
  return [...relations].filter(({ target }) => !been.includes(target.model)).map((next) => [...way, next]);
}

/** The `has_many` that a model could declare for a name, because another model refers to it. */
function relationToDeclare(name: string, from: ScopeModel): string | null {
  let between: string | null = null;
  for (const other of from.models()) {
    const parents = [...other.relations.values()].filter(({ kind }) => kind === "belongs_to");
    const back = parents.find(({ target }) => target === from);
    if (back === undefined) continue;
    if (isMeant(name, other.model)) return `declare it: ${declaration(name, other, back)}`;
    const beyond = parents.find(({ target }) => target !== from && isMeant(name, target.model));
    if (beyond === undefined) continue;
    const { model } = other;
    between ??= `the path goes through "${model}": declare ${declaration(model, other, back)}, and write EXISTS (${model}.${beyond.name} WHERE …)`;
  }
  return between;
}

function declaration(name: string, { model }: ScopeModel, { field, target }: ConditionRelation): string {
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

/** Reports an unknown relation in a path. */
export function noRelation(
  index: number,
  names: readonly string[],
  end: ScopeModel,
  from: NamePosition,
): UnknownName {
  const name = names[index] ?? "";
  const rest = names.slice(index + 1);
  const message = end.columns.has(name)
    ? `"${name}" of model "${end.model}" is not a relation`
    : `model "${end.model}" has no relation called "${name}"`;
  if (index === 0) {
    const hint = ofItself(names, from) ?? ofAnotherRow(names, from) ?? callerHint(names.join("."));
    if (hint !== null) return { message, hint };
  }
  if (end.columns.has(name)) return { message, hint: beyondField(index, names, end) };
  const ways = pathsTo(name, end);
  if (ways.length > 0) return offPath({ message, before: names.slice(0, index), name, rest }, ways);
  const hint = didYouMean(name, end.relations.keys()) ?? relationToDeclare(name, end) ?? relationsOf(end);
  return { message, hint };
}

/** Reports a path that continues after a field. */
function beyondField(index: number, names: readonly string[], end: ScopeModel): string | null {
  if (index > 0 && index === names.length - 1)
    return `a path ends in a relation: EXISTS (${names.slice(0, index).join(".")} WHERE …)`;
  return end.columns.get(names[index] ?? "")?.kind === "json"
    ? "conditions cannot read values inside JSON"
    : null;
}

/** The maximum number of relations in a message without a similar name. */
const mostNamed = 8;

function relationsOf({ model, relations }: ScopeModel): string | null {
  const names = [...new Set([...relations.values()].map(({ name }) => name))];
  return names.length === 0 || names.length > mostNamed
    ? null
    : `the relations of "${model}" are ${names.join(", ")}`;
}

interface Written {
  readonly message: string;
  readonly before: readonly string[];
  readonly name: string;
  readonly rest: readonly string[];
}

type RelationPaths = readonly (readonly ConditionRelation[])[];

/** Suggests the longer path to a model. */
function offPath({ message, before, name, rest }: Written, ways: RelationPaths): UnknownName {
  const paths = ways.map((way) => [...before, ...way.map((relation) => relation.name)].join("."));
  const [path = "", ...others] = paths;
  const isMany = ways.some((way) => way.some(({ kind }) => kind === "has_many"));
  const asExists = rest.length > 0 && isMany;
  if (others.length > 0) {
    const shown = paths.map((each) => (asExists ? `EXISTS (${each} WHERE …)` : [each, ...rest].join(".")));
    return { message, hint: `write ${shown.join(" or ")}` };
  }
  const between = (ways[0] ?? []).slice(0, -1).map((relation) => `"${relation.name}"`);
  const through = `the path goes through ${between.join(" and ")}`;
  if (!asExists) {
    const because = between.length === 0 ? "" : `${through}: `;
    return { message, hint: `${because}write ${[path, ...rest].join(".")}` };
  }
  const written = [...before, name, ...rest].join(".");
  return {
    message: between.length === 0 ? message : `${message}; ${through}`,
    hint: null,
    exists: { path, name: rest.join("."), written },
  };
}

/** Names for the current row in other languages. */
const rowNames: readonly string[] = ["self", "row", "record", "new", "old", "resource"];

/** Outside of EXISTS, names need no prefix. */
function ofItself([first = "", ...rest]: readonly string[], { at, depth }: NamePosition): string | null {
  if (depth > 0 || rest.length === 0) return null;
  return isMeant(first, at.model) || rowNames.includes(first.toLowerCase())
    ? `names already refer to fields of "${at.model}": write ${rest.join(".")}`
    : null;
}

/** Reports names within EXISTS with a table prefix, or from the row that has the rule. */
export function ofAnotherRow(
  names: readonly string[],
  { at, itself, depth, via }: NamePosition,
): string | null {
  const [first = "", ...rest] = names;
  if (depth === 0) return null;
  const shown = rest.join(".");
  if (rest.length > 0 && (first === via || first === at.model))
    return `within EXISTS, names already refer to fields of "${at.model}": write ${shown}`;
  if (rest.length > 0 && first === itself.model)
    return `for the row that the rule is for, write ${rowItself}.${shown}`;
  return itself.relations.has(first) || (rest.length === 0 && itself.columns.has(first))
    ? `for the row that the rule is for, write ${rowItself}.${names.join(".")}`
    : null;
}
