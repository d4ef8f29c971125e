import { conditionLimits, rowItself } from "../../vocabulary/conditions.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import type { ConditionColumn, ConditionRelation, ConditionScope } from "./condition-scope.ts";

/** Why a name leads nowhere. */
export interface Missing {
  readonly message: string;
  readonly hint: string | null;
}

/** Where a name stands: in a condition on the rows of a model, perhaps within EXISTS. */
export interface Standpoint {
  /** The model whose fields names are. */
  readonly at: ConditionScope;
  /** The model whose rule it is. */
  readonly itself: ConditionScope;
  /** Levels of EXISTS around it. */
  readonly depth: number;
}

/** A way over relations, as the tree has it. */
export interface FoundPath {
  /** Join names, after `this` where it begins there. */
  readonly path: readonly string[];
  readonly relations: readonly ConditionRelation[];
  /** The model at its end. */
  readonly end: ConditionScope;
  readonly fromItself: boolean;
}

/** A column that a name leads to. `field` has join names. */
export interface FoundColumn extends FoundPath {
  readonly field: string;
  readonly column: ConditionColumn;
}

/** Outside of EXISTS, where rows and the model of the rule are the same. */
export function outside(scope: ConditionScope): Standpoint {
  return { at: scope, itself: scope, depth: 0 };
}

/** The column behind `field`, or behind a path over `belongs_to` and `has_one` relations; or why there is none. */
export function findColumn(name: string, from: Standpoint): FoundColumn | Missing {
  const names = name.split(".");
  const last = names.pop() ?? "";
  const found = follow(names, from);
  if ("message" in found) return found;
  const many = found.relations.find(({ kind }) => kind === "has_many");
  if (many !== undefined)
    return {
      message: `"${many.name}" is a has_many, which has many rows`,
      hint: "EXISTS asks for one of them",
    };
  const column = found.end.columns.get(last);
  if (column === undefined) return noColumn(last, found.end);
  const field = [...found.path, last].join(".");
  if (column.kind !== "password") return { ...found, field, column };
  return { message: `"${field}" is a password, which nothing may be compared with`, hint: null };
}

/** The rows that a path over relations of any kind leads to; or why it leads to none. */
export function findRows(path: string, from: Standpoint): FoundPath | Missing {
  const found = follow(path.split("."), from);
  if ("message" in found || found.relations.length > 0) return found;
  return { message: `"${path}" is no relation`, hint: null };
}

function follow(names: readonly string[], from: Standpoint): FoundPath | Missing {
  const fromItself = names[0] === rowItself && (from.depth > 0 || !from.at.relations.has(rowItself));
  const relations: ConditionRelation[] = [];
  let end = fromItself ? from.itself : from.at;
  for (const name of fromItself ? names.slice(1) : names) {
    const relation = end.relations.get(name);
    if (relation === undefined) return noRelation(name, end);
    relations.push(relation);
    end = relation.target;
  }
  if (relations.length > conditionLimits.pathRelations) {
    const message = `"${names.join(".")}" goes over ${relations.length} relations, more than ${conditionLimits.pathRelations}`;
    return { message, hint: null };
  }
  // Outside of EXISTS the row itself is the one at hand.
  const start = fromItself && from.depth > 0 ? [rowItself] : [];
  return { path: [...start, ...relations.map((relation) => relation.name)], relations, end, fromItself };
}

function noColumn(name: string, scope: ConditionScope): Missing {
  if (scope.collections.has(name))
    return { message: `"${name}" has no column; the other model holds the key`, hint: null };
  if (scope.relations.has(name)) return { message: `"${name}" is a relation`, hint: `write ${name}.<field>` };
  const message = `model "${scope.model}" has no field "${name}"`;
  return { message, hint: didYouMean(name, scope.columns.keys()) };
}

function noRelation(name: string, scope: ConditionScope): Missing {
  if (scope.columns.has(name))
    return { message: `"${name}" of model "${scope.model}" is no relation`, hint: null };
  const message = `model "${scope.model}" has no relation called "${name}"`;
  return { message, hint: didYouMean(name, scope.relations.keys()) };
}
