import { claims, rowItself } from "../../vocabulary/conditions.ts";
import { didYouMean, nearest } from "../../vocabulary/nearest.ts";
import type { ConditionRelation, ConditionScope } from "./condition-scope.ts";
import { type Standpoint, startsAtItself } from "./standpoint.ts";
import { relationToDeclare, wayTo } from "./way-to-model.ts";

/** Why a name leads nowhere, and what to write. */
export interface Lost {
  readonly message: string;
  readonly hint: string | null;
  /** The rows that EXISTS would ask for, and what the name is there: the hint is then the whole comparison. */
  readonly exists?: { readonly path: string; readonly name: string };
}

/** A `has_many` on a plain path has many rows, of which EXISTS asks for one. */
export function overMany(names: readonly string[], relations: readonly ConditionRelation[]): Lost {
  const start = names.length - 1 - relations.length;
  const last = relations.findLastIndex(({ kind }) => kind === "has_many");
  const many = relations[last];
  const exists = { path: names.slice(0, start + last + 1), name: names.slice(start + last + 1) };
  return {
    message: `"${many?.name}" is a has_many, so that there may be many rows`,
    hint: null,
    exists: { path: exists.path.join("."), name: exists.name.join(".") },
  };
}

/** Names that people have for the caller. */
const callers: readonly string[] = ["user", "users", "caller", "current_user"];

/** What the credential says of the caller has placeholders of its own. */
export const claimOf: ReadonlyMap<string, string> = new Map([
  ["id", "{user_id}"],
  ["email", "{email}"],
]);

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
    const hint = ofAnotherRow(names, from) ?? ofCaller(names);
    if (hint !== null) return { message, hint };
  }
  if (end.columns.has(name)) return { message, hint: pathBefore(names.slice(0, index), rest) };
  const way = wayTo(name, end);
  if (way !== null) return besideWay({ message, before: names.slice(0, index), rest }, way);
  return { message, hint: didYouMean(name, end.relations.keys()) ?? relationToDeclare(name, end) };
}

function ofCaller([name = "", column = "", ...rest]: readonly string[]): string | null {
  if (!callers.includes(name) || rest.length > 0 || column === "") return null;
  return `the caller's is ${claimOf.get(column) ?? `{user.${column}}`}`;
}

/** The path of EXISTS that ends in a field. */
function pathBefore(before: readonly string[], rest: readonly string[]): string | null {
  return before.length > 0 && rest.length === 0
    ? `a path ends in a relation: EXISTS (${before.join(".")} WHERE …)`
    : null;
}

interface Written {
  readonly message: string;
  readonly before: readonly string[];
  readonly rest: readonly string[];
}

/** The wanted model is there, but further away. */
function besideWay({ message, before, rest }: Written, way: readonly ConditionRelation[]): Lost {
  const path = [...before, ...way.map(({ name }) => name)].join(".");
  const between = way.slice(0, -1).map(({ name }) => `"${name}"`);
  const because =
    between.length === 0
      ? ""
      : `${between.join(" and ")} ${between.length === 1 ? "stands" : "stand"} between them: `;
  const isMany = way.some(({ kind }) => kind === "has_many");
  if (rest.length > 0 && isMany)
    return {
      message: because === "" ? message : `${message}; ${because.slice(0, -2)}`,
      hint: null,
      exists: { path, name: rest.join(".") },
    };
  return { message, hint: `${because}write ${[path, ...rest].join(".")}` };
}

/** Names within EXISTS that begin with what SQL would call its tables, or that the row of the rule has. */
function ofAnotherRow(names: readonly string[], { at, itself, depth, via }: Standpoint): string | null {
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

/** The model at the end of a path has no such column. */
export function noColumn(written: string, scope: ConditionScope, from: Standpoint): Lost {
  const names = written.split(".");
  const name = names.at(-1) ?? "";
  const relation = scope.relations.get(name);
  if (relation?.kind === "has_many")
    return {
      message: `"${name}" has no column; the other model holds the key`,
      hint: `EXISTS (${written}) asks whether there is a row`,
    };
  if (scope.collections.has(name) && relation === undefined)
    return { message: `"${name}" has no column; the other model holds the key`, hint: null };
  if (relation !== undefined) return { message: `"${name}" is a relation`, hint: `write ${written}.<field>` };
  if (startsAtItself(names, from) && names.length === 1)
    return { message: `"${name}" is the row itself`, hint: `name a field of it: ${name}.<field>` };
  const message = `model "${scope.model}" has no field "${name}"`;
  const near = didYouMean(name, scope.columns.keys());
  if (names.length > 1) return { message, hint: near };
  const claim = claims.find((each) => each === name);
  const placeholder = claim === undefined ? null : `the caller's is {${claim}}`;
  return { message, hint: placeholder ?? near ?? ofAnotherRow(names, from) };
}

/** The value of an enum that a bare word was meant to be. */
export function meantValue(word: string, values: readonly (string | number)[] | null): string {
  return `a string stands in quotes: '${nearest(word, (values ?? []).map(String)) ?? word}'`;
}
