import { type Kind, linkOf, type Shape, type Shapes, shapeOf } from "./shapes.ts";

export type Comparing = "=" | "!=" | "<" | "<=" | ">" | ">=" | "LIKE" | "ILIKE";
export type Unit = "second" | "minute" | "hour" | "day";

/** A field at the end of a path that begins at the row at hand, or at the one whose rule it is. */
export interface FieldTerm {
  readonly is: "field";
  readonly itself: boolean;
  readonly over: readonly string[];
  readonly field: string;
  readonly kind: Kind;
}

/** A column of the caller's row in `users`. */
export interface UserTerm {
  readonly is: "user";
  readonly column: string;
  readonly kind: Kind;
}

export type ValueTerm =
  | UserTerm
  | { readonly is: "literal"; readonly value: string | number | boolean }
  | { readonly is: "claim"; readonly claim: "user_id" | "role" | "email" }
  | { readonly is: "now"; readonly amount: number; readonly unit: Unit };

export type SubjectTerm = FieldTerm | UserTerm;

/** A condition as the tests see it, separate from the product's tree on purpose. */
export type Rule =
  | { readonly is: "and" | "or"; readonly parts: readonly Rule[] }
  | { readonly is: "not"; readonly part: Rule }
  | {
      readonly is: "exists";
      readonly itself: boolean;
      readonly over: readonly string[];
      readonly where: Rule | null;
    }
  | {
      readonly is: "compare";
      readonly sign: Comparing;
      readonly left: SubjectTerm;
      readonly right: FieldTerm | ValueTerm;
      /** The sides stand the other way round in the text. */
      readonly swapped: boolean;
    }
  | {
      readonly is: "in";
      readonly not: boolean;
      readonly left: SubjectTerm;
      readonly list: readonly ValueTerm[];
    }
  | { readonly is: "between"; readonly left: SubjectTerm; readonly from: ValueTerm; readonly to: ValueTerm }
  /** Of a list: CONTAINS where it is one value, else OVERLAPS. */
  | {
      readonly is: "has";
      readonly left: SubjectTerm;
      readonly list: readonly ValueTerm[];
      readonly one: boolean;
    }
  | { readonly is: "null"; readonly not: boolean; readonly left: SubjectTerm };

// biome-ignore format: many a line
const turned: Readonly<Record<Comparing, Comparing>> = {
  "=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<=", LIKE: "LIKE", ILIKE: "ILIKE",
};

/** The condition as a models file has it. */
export function textOf(rule: Rule): string {
  switch (rule.is) {
    case "and":
    case "or":
      return rule.parts.map((part) => `(${textOf(part)})`).join(` ${rule.is.toUpperCase()} `);
    case "not":
      return `NOT (${textOf(rule.part)})`;
    case "exists": {
      const path = pathText(rule.itself, rule.over);
      return rule.where === null ? `EXISTS (${path})` : `EXISTS (${path} WHERE ${textOf(rule.where)})`;
    }
    case "compare": {
      const { sign, left, right, swapped } = rule;
      if (swapped) return `${termText(right)} ${turned[sign]} ${termText(left)}`;
      return `${termText(left)} ${sign} ${termText(right)}`;
    }
    case "in":
      return `${termText(rule.left)} ${rule.not ? "NOT IN" : "IN"} (${rule.list.map(termText).join(", ")})`;
    case "has":
      return rule.one
        ? `${termText(rule.left)} CONTAINS ${rule.list.map(termText).join()}`
        : `${termText(rule.left)} OVERLAPS (${rule.list.map(termText).join(", ")})`;
    case "between":
      return `${termText(rule.left)} BETWEEN ${termText(rule.from)} AND ${termText(rule.to)}`;
    case "null":
      return `${termText(rule.left)} ${rule.not ? "IS NOT NULL" : "IS NULL"}`;
  }
}

function pathText(itself: boolean, names: readonly string[]): string {
  return [...(itself ? ["this"] : []), ...names].join(".");
}

function termText(term: FieldTerm | ValueTerm): string {
  switch (term.is) {
    case "field":
      return pathText(term.itself, [...term.over, term.field]);
    case "user":
      return `{user.${term.column}}`;
    case "claim":
      return `{${term.claim}}`;
    case "now": {
      const { amount, unit } = term;
      if (amount === 0) return "now()";
      return `now() ${amount < 0 ? "-" : "+"} interval '${Math.abs(amount)} ${unit}s'`;
    }
    case "literal":
      return typeof term.value === "string" ? `'${term.value.replaceAll("'", "''")}'` : String(term.value);
  }
}

/** Simpler conditions that are still well-formed, for a smaller counter-example. */
export function simpler(rule: Rule, shapes: Shapes, at: Shape, itself: Shape): Rule[] {
  const inside = (part: Rule, here = at) => simpler(part, shapes, here, itself);
  switch (rule.is) {
    case "and":
    case "or": {
      const { parts } = rule;
      const without =
        parts.length < 2 ? [] : parts.map((_, n) => ({ ...rule, parts: parts.toSpliced(n, 1) }));
      const within = parts.flatMap((part, n) =>
        inside(part).map((less) => ({ ...rule, parts: parts.with(n, less) })),
      );
      return [...parts, ...without, ...within];
    }
    case "not":
      return [rule.part, ...inside(rule.part).map((part): Rule => ({ is: "not", part }))];
    case "exists": {
      if (rule.where === null) return [];
      const end = rule.over.reduce(
        (shape, name) => shapeOf(shapes, linkOf(shape, name).model),
        rule.itself ? itself : at,
      );
      return [{ ...rule, where: null }, ...inside(rule.where, end).map((where) => ({ ...rule, where }))];
    }
    case "compare":
      return [
        ...(rule.swapped ? [{ ...rule, swapped: false }] : []),
        ...shorter(rule.left, shapes, at, itself).map((left) => ({ ...rule, left })),
        ...(rule.right.is === "field"
          ? shorter(rule.right, shapes, at, itself).map((right) => ({ ...rule, right }))
          : []),
      ];
    case "in":
    case "has":
      return [
        ...(rule.list.length < 2
          ? []
          : rule.list.map((_, n) => ({ ...rule, list: rule.list.toSpliced(n, 1) }))),
        ...shorter(rule.left, shapes, at, itself).map((left) => ({ ...rule, left })),
      ];
    default:
      return shorter(rule.left, shapes, at, itself).map((left) => ({ ...rule, left }));
  }
}

/** The same field, or one of the same kind, at the end of a shorter path. */
function shorter<Term extends SubjectTerm>(term: Term, shapes: Shapes, at: Shape, itself: Shape): Term[] {
  if (term.is !== "field" || term.over.length === 0) return [];
  const over = term.over.slice(0, -1);
  const start = term.itself ? itself : at;
  const end = over.reduce((shape, name) => shapeOf(shapes, linkOf(shape, name).model), start);
  const fields = Object.entries(end.fields).filter(([, kind]) => kind === term.kind);
  return fields.slice(0, 1).map(([field]) => ({ ...term, over, field }));
}
