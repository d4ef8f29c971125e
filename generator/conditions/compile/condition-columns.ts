import { conditionLimits, rowItself } from "../../../vocabulary/conditions/conditions.ts";
import { didYouMean } from "../../../vocabulary/nearest.ts";
import { foreignHint } from "../hints/foreign-names.ts";
import {
  type ConditionColumn,
  type ConditionRelation,
  type NamePosition,
  type ScopeModel,
  startsAtItself,
} from "./condition-scope.ts";
import { acrossMany, noRelation, ofAnotherRow, type UnknownName } from "./unknown-name.ts";

/** A relation path in the compiled tree. */
export interface FoundRows {
  /** Join names, after `this` if the path starts at the row itself. */
  readonly path: readonly string[];
  readonly relations: readonly ConditionRelation[];
  /** The model at its end. */
  readonly end: ScopeModel;
  readonly fromItself: boolean;
}

/** The column of a name. `field` has join names. */
export interface FoundColumn extends FoundRows {
  readonly field: string;
  readonly column: ConditionColumn;
}

/** The column of a field, or of a path over `belongs_to` and `has_one` relations; or why it does not exist. */
export function findColumn(name: string, from: NamePosition): FoundColumn | UnknownName {
  const names = name.split(".");
  const found = follow(names.slice(0, -1), from, names.slice(-1));
  if ("message" in found) return found;
  const { end, relations, path } = found;
  const last = names.at(-1) ?? "";
  const column = end.columns.get(last);
  if (column === undefined) return noColumn(name, end, from);
  if (relations.some(({ kind }) => kind === "has_many")) return acrossMany(names, relations);
  const field = [...path, last].join(".");
  if (column.kind !== "password" || from.isCheck === true) return { ...found, field, column };
  return { message: `"${field}" is a password, which cannot be compared`, hint: null };
}

/** The rows at the end of a relation path; or why the path is invalid. */
export function findRows(path: string, from: NamePosition): FoundRows | UnknownName {
  const found = follow(path.split("."), from, []);
  if ("message" in found || found.relations.length > 0) return found;
  return { message: `"${path}" is the row itself`, hint: `add a relation: ${path}.<relation>` };
}

/** The row at the end of a path over `belongs_to` and `has_one` relations, or the current row; or why it does not exist. */
export function findRow(path: string, from: NamePosition): FoundRows | UnknownName {
  const names = path === "" ? [] : path.split(".");
  const found = follow(names, from, []);
  if ("message" in found || found.relations.every(({ kind }) => kind !== "has_many")) return found;
  const many = acrossMany([...names, ""], found.relations);
  return { message: many.message, hint: `call it in EXISTS (${many.exists?.path} WHERE …)` };
}

/** `rest` is the text after the names, for hints. */
function follow(
  names: readonly string[],
  from: NamePosition,
  rest: readonly string[],
): FoundRows | UnknownName {
  const fromItself = startsAtItself(names, from);
  const relations: ConditionRelation[] = [];
  let end = fromItself ? from.itself : from.at;
  for (const [index, name] of names.entries()) {
    if (fromItself && index === 0) continue;
    const relation = end.relations.get(name);
    if (relation === undefined) return noRelation(index, [...names, ...rest], end, from);
    relations.push(relation);
    end = relation.target;
  }
  const { pathRelations } = conditionLimits;
  if (relations.length > pathRelations) {
    const message = `"${names.join(".")}" uses ${relations.length} relations, more than ${pathRelations}`;
    return { message, hint: null };
  }
  const path = relations.map((relation) => relation.name);
  if (!fromItself && from.depth > 0 && path[0] === rowItself) return takenName(names, from);
  // Outside of EXISTS, names refer to the row itself.
  return { path: fromItself && from.depth > 0 ? [rowItself, ...path] : path, relations, end, fromItself };
}

/** Reports a relation with the join name `this`, which means the row itself within EXISTS. */
function takenName([name = ""]: readonly string[], { at }: NamePosition): UnknownName {
  const message = `"${name}" of model "${at.model}" is joined as "this", but within EXISTS "this" is the row itself`;
  return { message, hint: "rename the field" };
}

/** Reports a name that is not a column of the model at the end of a path. */
function noColumn(written: string, scope: ScopeModel, from: NamePosition): UnknownName {
  const names = written.split(".");
  const name = names.at(-1) ?? "";
  const relation = scope.relations.get(name);
  if (relation?.kind === "has_many")
    return {
      message: `"${name}" has no column; the other model holds the key`,
      hint: `EXISTS (${written}) is true if a row exists, NOT EXISTS (${written}) if no row exists`,
    };
  if (scope.collections.has(name) && relation === undefined)
    return { message: `"${name}" has no column; the other model holds the key`, hint: null };
  if (relation !== undefined)
    return { message: `"${name}" is a relation`, hint: ofRelation(written, relation) };
  if (startsAtItself(names, from) && names.length === 1)
    return { message: `"${name}" is the row itself`, hint: `add a field: ${name}.<field>` };
  const message = `model "${scope.model}" has no field "${name}"`;
  if (name === "deleted_at")
    return { message, hint: `"${scope.model}" has no soft delete: remove this comparison` };
  const near = didYouMean(name, scope.columns.keys());
  if (names.length > 1) return { message, hint: near ?? foreignHint(written), unknownIn: scope };
  const hint = ofAnotherRow(names, from);
  return hint === null ? { message, hint: foreignHint(name) ?? near, unknownIn: scope } : { message, hint };
}

/** A hint for a relation: its foreign key, or a field behind it. */
function ofRelation(
  written: string,
  { kind, field }: { readonly kind: string; readonly field: string },
): string {
  if (kind !== "belongs_to") return `write ${written}.<field>`;
  const key = [...written.split(".").slice(0, -1), field].join(".");
  return `write ${key}, or ${written}.<field>`;
}
