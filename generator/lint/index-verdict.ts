import { elementKindOf } from "../../vocabulary/fields/field-kinds.ts";
import {
  type ConditionExpression,
  findColumn,
  findRows,
  type NamePosition,
  scopeWithin,
  type Term,
  type TextRange,
} from "../conditions/index.ts";
import type { LintContext } from "./lint-context.ts";
import { isOfCaller, leadingFields } from "./missing-lookups.ts";

/** A column that a condition compares, and where it is in the text. */
export interface UnindexedColumn {
  readonly at: TextRange;
  readonly model: string;
  readonly column: string;
}

/** What an index does for a condition: finds its rows already, could do so on one of some columns, or never will. */
export type IndexVerdict = { readonly indexed: boolean; readonly wanted: readonly UnindexedColumn[] };

const indexed: IndexVerdict = { indexed: true, wanted: [] };
/** No index helps. */
export const noIndexHelps: IndexVerdict = { indexed: false, wanted: [] };

/** Where a condition is. */
export interface JudgedCondition {
  readonly from: NamePosition;
  readonly context: LintContext;
}

/** What indexes do for a condition. */
export function indexVerdict(expression: ConditionExpression, subject: JudgedCondition): IndexVerdict {
  switch (expression.kind) {
    case "and":
      return both(expression.items.map((item) => indexVerdict(item, subject)));
    case "or":
      return either(expression.items.map((item) => indexVerdict(item, subject)));
    case "compare":
      return expression.symbol === "!=" || isPast(expression)
        ? noIndexHelps
        : compared(expression.left, expression.right, subject);
    case "in":
      return expression.negated ? noIndexHelps : compared(expression.left, expression.values[0], subject);
    case "between":
      return expression.negated ? noIndexHelps : compared(expression.left, expression.from, subject);
    case "contains":
      return compared(expression.left, expression.right, subject);
    case "overlaps":
      return compared(expression.left, expression.values[0], subject);
    case "null":
      return expression.negated ? noIndexHelps : compared(expression.left, undefined, subject);
    case "exists":
      return below(expression, subject);
    // A pattern needs an index of another operator class under most collations.
    case "like":
    case "not":
      return noIndexHelps;
  }
}

/** Sooner or later most moments are in the past, and an index does not spare reading most rows. */
function isPast({ symbol, left, right }: Extract<ConditionExpression, { kind: "compare" }>): boolean {
  const before = symbol === "<" || symbol === "<=";
  const after = symbol === ">" || symbol === ">=";
  return (before && isNow(right)) || (after && isNow(left));
}

function isNow(term: Term): boolean {
  return term.kind === "placeholder" && term.name === "now";
}

/** One indexed part is enough; without any, the first that could be. */
function both(parts: readonly IndexVerdict[]): IndexVerdict {
  if (parts.some((part) => part.indexed)) return indexed;
  const [first = noIndexHelps] = parts.filter(({ wanted }) => wanted.length > 0);
  return first;
}

/** A part that no index serves makes those of the others useless. */
function either(parts: readonly IndexVerdict[]): IndexVerdict {
  if (parts.every((part) => part.indexed)) return indexed;
  if (parts.some((part) => !part.indexed && part.wanted.length === 0)) return noIndexHelps;
  return { indexed: false, wanted: parts.flatMap(({ wanted }) => wanted) };
}

/** What EXISTS looks for may be found first, and from there the rows that it belongs to: their keys have indexes. */
function below(
  { path, where }: Extract<ConditionExpression, { kind: "exists" }>,
  { from, context }: JudgedCondition,
): IndexVerdict {
  const found = findRows(path, from);
  if (where === null || "message" in found || (found.fromItself && from.depth > 0)) return noIndexHelps;
  return indexVerdict(where, { from: scopeWithin(path, found.end, from), context });
}

function compared(left: Term, right: Term | undefined, { from, context }: JudgedCondition): IndexVerdict {
  const [term, other] = left.kind === "field" ? [left, right] : [right, left];
  if (term?.kind !== "field" || other?.kind === "field") return noIndexHelps;
  // Within EXISTS a value of the condition, such as a role in memberships, says too little.
  if (from.depth > 0 && !isOfCaller(other)) return noIndexHelps;
  const found = findColumn(term.name, from);
  if ("message" in found || (found.fromItself && from.depth > 0)) return noIndexHelps;
  // Where a relation may have several rows, the first of them is looked up from the row at hand.
  if (found.relations.some(({ kind }) => kind !== "belongs_to")) return noIndexHelps;
  const definition = context.definitions.get(found.end.model);
  const column = term.name.split(".").at(-1) ?? "";
  if (definition === undefined) return noIndexHelps;
  // A GIN index knows elements, and not which lists are NULL.
  const isList = found.column.kind !== null && elementKindOf(found.column.kind) !== null;
  if (isList && other === undefined) return noIndexHelps;
  if (leadingFields(definition).has(column)) return indexed;
  // Half of the rows are true: an index would not be used.
  const useful = found.column.kind !== "boolean" && found.column.kind !== "json";
  return useful
    ? { indexed: false, wanted: [{ at: term.at, model: found.end.model, column }] }
    : noIndexHelps;
}
