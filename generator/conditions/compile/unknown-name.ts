import { rowItself } from "../../../vocabulary/conditions/conditions.ts";
import { didYouMean } from "../../../vocabulary/nearest.ts";
import { callerHint } from "../hints/foreign-names.ts";
import type { ConditionRelation, ScopeModel, Standpoint } from "./condition-scope.ts";

/** Why a name leads nowhere, and what to write. */
export interface UnknownName {
  readonly message: string;
  readonly hint: string | null;
  /** The model that has no such field, where only the name says what may be meant. */
  readonly unknownIn?: ScopeModel;
  /** The rows that EXISTS would ask for, and what the name is there: the hint is then the whole comparison. */
  readonly exists?: ManyRows;
}

/** Rows that a plain path cannot go over. */
export interface ManyRows {
  readonly path: string;
  /** What the field is called in a row of the path, and what was written for it. */
  readonly name: string;
  readonly written: string;
}

/** A `has_many` on a plain path has many rows, of which EXISTS asks for one. */
export function acrossMany(names: readonly string[], relations: readonly ConditionRelation[]): UnknownName {
  const start = names.length - 1 - relations.length;
  const last = relations.findLastIndex(({ kind }) => kind === "has_many");
  const many = relations[last];
  const path = names.slice(0, start + last + 1).join(".");
  const name = names.slice(start + last + 1).join(".");
  return {
    message: `"${many?.name}" is a has_many, so that there may be many rows`,
    hint: null,
    exists: { path, name, written: names.join(".") },
  };
}

/** So far away a model is looked for. */
const longestPath = 3;

/** So many ways are named. */
const mostPaths = 3;

type RelationPath = readonly ConditionRelation[];

/** The ways over relations to the model that a name means, in the plural or not: those of one relation, else all that are near, the shortest first. */
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

/** A way with one relation more, to models that it has not been to. */
function goOn(way: RelationPath, from: ScopeModel): RelationPath[] {
  const been = [from.model, ...way.map(({ target }) => target.model)];
  const relations = new Set((way.at(-1)?.target ?? from).relations.values());
  return [...relations].filter(({ target }) => !been.includes(target.model)).map((next) => [...way, next]);
}

/** The `has_many` that a model could declare for a name: others refer to it, and it does not say so. */
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
    between ??= `"${model}" is between them: declare ${declaration(model, other, back)}, and write EXISTS (${model}.${beyond.name} WHERE …)`;
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

/** No relation has the name that is at a place of a path. */
export function noRelation(
  index: number,
  names: readonly string[],
  end: ScopeModel,
  from: Standpoint,
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

/** A path that goes on after a field. */
function beyondField(index: number, names: readonly string[], end: ScopeModel): string | null {
  if (index > 0 && index === names.length - 1)
    return `a path ends in a relation: EXISTS (${names.slice(0, index).join(".")} WHERE …)`;
  return end.columns.get(names[index] ?? "")?.kind === "json" ? "nothing looks into JSON" : null;
}

/** So many relations are named where none is near. */
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

/** The wanted model is there, but further away. */
function offPath({ message, before, name, rest }: Written, ways: RelationPaths): UnknownName {
  const paths = ways.map((way) => [...before, ...way.map((relation) => relation.name)].join("."));
  const [path = "", ...others] = paths;
  const isMany = ways.some((way) => way.some(({ kind }) => kind === "has_many"));
  const asExists = rest.length > 0 && isMany;
  if (others.length > 0) {
    const shown = paths.map((each) => (asExists ? `EXISTS (${each} WHERE …)` : [each, ...rest].join(".")));
    return { message, hint: `write ${shown.join(" or ")}, whichever is meant` };
  }
  const between = (ways[0] ?? []).slice(0, -1).map((relation) => `"${relation.name}"`);
  const areBetween = `${between.join(" and ")} ${between.length === 1 ? "is" : "are"} between them`;
  if (!asExists) {
    const because = between.length === 0 ? "" : `${areBetween}: `;
    return { message, hint: `${because}write ${[path, ...rest].join(".")}` };
  }
  const written = [...before, name, ...rest].join(".");
  return {
    message: between.length === 0 ? message : `${message}; ${areBetween}`,
    hint: null,
    exists: { path, name: rest.join("."), written },
  };
}

/** What other languages call the row that a rule is about. */
const rowNames: readonly string[] = ["self", "row", "record", "new", "old", "resource"];

/** Outside of EXISTS a name needs nothing in front of it. */
function ofItself([first = "", ...rest]: readonly string[], { at, depth }: Standpoint): string | null {
  if (depth > 0 || rest.length === 0) return null;
  return isMeant(first, at.model) || rowNames.includes(first.toLowerCase())
    ? `a name is a field of "${at.model}" already: write ${rest.join(".")}`
    : null;
}

/** Names within EXISTS that begin with what SQL would call its tables, or that the row of the rule has. */
export function ofAnotherRow(
  names: readonly string[],
  { at, itself, depth, via }: Standpoint,
): string | null {
  const [first = "", ...rest] = names;
  if (depth === 0) return null;
  const shown = rest.join(".");
  if (rest.length > 0 && (first === via || first === at.model))
    return `within EXISTS a name is a field of "${at.model}" already: write ${shown}`;
  if (rest.length > 0 && first === itself.model)
    return `the row whose rule it is goes by the name "this": write ${rowItself}.${shown}`;
  return itself.relations.has(first) || (rest.length === 0 && itself.columns.has(first))
    ? `the row whose rule it is goes by the name "this": write ${rowItself}.${names.join(".")}`
    : null;
}
