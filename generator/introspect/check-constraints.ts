import type { FieldKind } from "../../vocabulary/field-kinds.ts";
import { checkType } from "../definition/values.ts";
import { type Expression, parseExpression } from "./expression.ts";

/** What a check constraint says that a field can say as well. */
export type FieldRule =
  | { readonly oneOf: readonly (string | number)[] }
  | { readonly minimum: number | null; readonly maximum: number | null };

/** Reads `CHECK (…)` of one column; null where a field cannot say exactly the same. */
export function fieldRuleOf(definition: string, column: string, kind: FieldKind): FieldRule | null {
  const text = /^CHECK \((.*)\)$/s.exec(definition)?.[1];
  const expression = text === undefined ? null : parseExpression(text);
  if (expression === null) return null;
  const values = allowed(expression, column);
  if (values !== null) return oneOf(values, kind);
  if (kind !== "integer" && kind !== "float") return null;
  const parts = expression.is === "and" ? expression.parts : [expression];
  const bounds = parts.map((part) => bound(part, column, kind));
  const sides = new Set(bounds.map((one) => one?.side));
  if (sides.has(undefined) || sides.size < bounds.length) return null;
  const at = (side: Bound["side"]) => bounds.find((one) => one?.side === side)?.value ?? null;
  return { minimum: at("minimum"), maximum: at("maximum") };
}

type Value = Extract<Expression, { is: "value" }>["value"];

function allowed(expression: Expression, column: string): Value[] | null {
  if (expression.is === "or") {
    const parts = expression.parts.map((part) => allowed(part, column));
    return parts.some((part) => part === null) ? null : parts.flatMap((part) => part ?? []);
  }
  if (expression.is !== "comparison" || expression.op !== "=" || !isColumn(expression.left, column))
    return null;
  const { right } = expression;
  const values = right.is === "list" ? right.values : [right];
  return values.every((value) => value.is === "value") ? values.map((value) => value.value) : null;
}

function oneOf(values: readonly Value[], kind: FieldKind): FieldRule | null {
  const found = new Set<string | number>();
  for (const value of values) {
    const number = kind === "integer" || kind === "float" ? numberOf(value) : value;
    const checked = number === null ? null : checkType({ kind, decimal: null }, number);
    if (checked === null || "problem" in checked) return null;
    if (typeof checked.value !== "string" && typeof checked.value !== "number") return null;
    found.add(checked.value);
  }
  return { oneOf: [...found] };
}

interface Bound {
  readonly side: "minimum" | "maximum";
  readonly value: number;
}

const mirrored: Readonly<Record<string, string>> = { "<": ">", "<=": ">=", ">": "<", ">=": "<=" };

function bound(expression: Expression, column: string, kind: FieldKind): Bound | null {
  if (expression.is !== "comparison") return null;
  const { left, right } = expression;
  const turned = isColumn(right, column);
  const op = turned ? mirrored[expression.op] : expression.op;
  const side = turned ? left : right;
  const value = side.is === "value" && (turned || isColumn(left, column)) ? numberOf(side.value) : null;
  if (value === null) return null;
  if (op === ">=") return { side: "minimum", value };
  if (op === "<=") return { side: "maximum", value };
  // Without its end a range of whole numbers begins one further; of others nobody can say where.
  if (kind !== "integer" || !Number.isInteger(value)) return null;
  if (op === ">") return { side: "minimum", value: value + 1 };
  return op === "<" ? { side: "maximum", value: value - 1 } : null;
}

function isColumn(expression: Expression, name: string): boolean {
  return expression.is === "column" && expression.name === name;
}

function numberOf(value: Value): number | null {
  const number = typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isFinite(number) ? number : null;
}
