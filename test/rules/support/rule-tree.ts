import {
  ago,
  and,
  between,
  caller,
  callerColumn,
  contains,
  eq,
  exists,
  field,
  fromNow,
  gt,
  gte,
  ilike,
  isIn,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  ne,
  not,
  notIn,
  now,
  or,
  overlaps,
} from "#runtime/models/access/index";
import type { Condition, Subject, Value } from "#vocabulary/conditions/conditions";
import type { FieldTerm, Rule, SubjectTerm, ValueTerm } from "./rule.ts";
import { linkOf, type Shape, type Shapes, shapeOf } from "./shapes.ts";

// biome-ignore format: many a line
const comparisons = { "=": eq, "!=": ne, "<": lt, "<=": lte, ">": gt, ">=": gte, LIKE: like, ILIKE: ilike } as const;

interface Place {
  readonly shapes: Shapes;
  readonly at: Shape;
  readonly itself: Shape;
  readonly inside: boolean;
}

/** The condition as policies hold it, made by the builders that they use. */
export function treeOf(rule: Rule, shapes: Shapes, shape: Shape): Condition {
  return tree(rule, { shapes, at: shape, itself: shape, inside: false });
}

function tree(rule: Rule, place: Place): Condition {
  const subject = (term: SubjectTerm): Subject =>
    term.is === "user" ? callerColumn(term.column) : fieldName(term, place);
  switch (rule.is) {
    case "and":
      return and(...rule.parts.map((part) => tree(part, place)));
    case "or":
      return or(...rule.parts.map((part) => tree(part, place)));
    case "not":
      return not(tree(rule.part, place));
    case "exists": {
      const { names, end } = pathOf(rule.itself, rule.over, place);
      const where = rule.where === null ? null : tree(rule.where, { ...place, at: end, inside: true });
      return exists(names.join("."), where);
    }
    case "compare": {
      const { right } = rule;
      const value = right.is === "field" ? field(fieldName(right, place)) : operandOf(right);
      return comparisons[rule.sign](subject(rule.left), value);
    }
    case "in":
      return (rule.not ? notIn : isIn)(subject(rule.left), rule.list.map(operandOf));
    case "has": {
      const values = rule.list.map(operandOf);
      return rule.one && values[0] !== undefined
        ? contains(subject(rule.left), values[0])
        : overlaps(subject(rule.left), values);
    }
    case "between":
      return between(subject(rule.left), operandOf(rule.from), operandOf(rule.to));
    case "null":
      return (rule.not ? isNotNull : isNull)(subject(rule.left));
  }
}

/** Outside of EXISTS the row at hand is the one whose rule it is, and needs no name. */
function pathOf(itself: boolean, over: readonly string[], place: Place): { names: string[]; end: Shape } {
  const names = itself && place.inside ? ["this"] : [];
  let end = itself ? place.itself : place.at;
  for (const name of over) {
    const link = linkOf(end, name);
    names.push(link.name);
    end = shapeOf(place.shapes, link.model);
  }
  return { names, end };
}

function fieldName(term: FieldTerm, place: Place): string {
  return [...pathOf(term.itself, term.over, place).names, term.field].join(".");
}

function operandOf(term: ValueTerm): Value {
  switch (term.is) {
    case "literal":
      return term.value;
    case "user":
      return callerColumn(term.column);
    case "claim":
      return caller[term.claim];
    case "now":
      if (term.amount === 0) return now;
      return term.amount < 0 ? ago(-term.amount, term.unit) : fromNow(term.amount, term.unit);
  }
}
