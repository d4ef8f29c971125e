import { rowItself } from "../../vocabulary/conditions.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import type { ConditionRelation, ConditionScope } from "./condition-scope.ts";
import { callerHint } from "./foreign-names.ts";
import type { Lost } from "./lost-names.ts";
import type { Standpoint } from "./standpoint.ts";
import { isMeant, relationToDeclare, waysTo } from "./way-to-model.ts";

/** No relation has the name that stands at a place of a path. */
export function noRelation(
  index: number,
  names: readonly string[],
  end: ConditionScope,
  from: Standpoint,
): Lost {
  const name = names[index] ?? "";
  const rest = names.slice(index + 1);
  const message = end.columns.has(name)
    ? `"${name}" of model "${end.model}" is no relation`
    : `model "${end.model}" has no relation called "${name}"`;
  if (index === 0) {
    const hint = ofItself(names, from) ?? ofAnotherRow(names, from) ?? callerHint(names.join("."));
    if (hint !== null) return { message, hint };
  }
  if (end.columns.has(name)) return { message, hint: beyondField(index, names, end) };
  const ways = waysTo(name, end);
  if (ways.length > 0) return besideWay({ message, before: names.slice(0, index), name, rest }, ways);
  const hint = didYouMean(name, end.relations.keys()) ?? relationToDeclare(name, end) ?? relationsOf(end);
  return { message, hint };
}

/** A path that goes on after a field. */
function beyondField(index: number, names: readonly string[], end: ConditionScope): string | null {
  if (index > 0 && index === names.length - 1)
    return `a path ends in a relation: EXISTS (${names.slice(0, index).join(".")} WHERE …)`;
  return end.columns.get(names[index] ?? "")?.kind === "json" ? "nothing looks into JSON" : null;
}

/** So many relations are named where none is near. */
const mostNamed = 8;

function relationsOf({ model, relations }: ConditionScope): string | null {
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

type Ways = readonly (readonly ConditionRelation[])[];

/** The wanted model is there, but further away. */
function besideWay({ message, before, name, rest }: Written, ways: Ways): Lost {
  const paths = ways.map((way) => [...before, ...way.map((relation) => relation.name)].join("."));
  const [path = "", ...others] = paths;
  const isMany = ways.some((way) => way.some(({ kind }) => kind === "has_many"));
  const asExists = rest.length > 0 && isMany;
  if (others.length > 0) {
    const shown = paths.map((each) => (asExists ? `EXISTS (${each} WHERE …)` : [each, ...rest].join(".")));
    return { message, hint: `write ${shown.join(" or ")}, whichever is meant` };
  }
  const between = (ways[0] ?? []).slice(0, -1).map((relation) => `"${relation.name}"`);
  const stands = `${between.join(" and ")} ${between.length === 1 ? "stands" : "stand"} between them`;
  if (!asExists) {
    const because = between.length === 0 ? "" : `${stands}: `;
    return { message, hint: `${because}write ${[path, ...rest].join(".")}` };
  }
  const written = [...before, name, ...rest].join(".");
  return {
    message: between.length === 0 ? message : `${message}; ${stands}`,
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
