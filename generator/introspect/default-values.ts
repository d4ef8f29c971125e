import { parse } from "postgres-array";
import { elementKindOf, type FieldKind, isExactKind } from "../../vocabulary/field-kinds.ts";
import type { Json } from "../../vocabulary/json.ts";
import { checkValue, type ValueRules } from "../definition/values.ts";
import { parsedJson } from "../output/parsed-json.ts";
import { type Expression, parseExpression } from "./expression.ts";

/**
 * The literal that a default is, in the form of the models file: null for a default of null, undefined where it is no
 * literal or none that fits the field.
 */
export function literalDefault(expression: string, rules: ValueRules): Json | undefined {
  const parsed = parseExpression(expression);
  const value = parsed === null ? undefined : literalOf(parsed, rules.kind);
  if (value === undefined || value === null) return value;
  const checked = checkValue(rules, value);
  return "value" in checked ? checked.value : undefined;
}

function literalOf(parsed: Expression, kind: FieldKind): Json | undefined {
  const element = elementKindOf(kind);
  if (parsed.is === "list" && element !== null) {
    const elements = parsed.values.map((one) => literalOf(one, element));
    return elements.flatMap((one) => (one === undefined ? [null] : [one]));
  }
  if (parsed.is !== "value") return undefined;
  const { value } = parsed;
  if (value === null || element === null) return value === null ? null : read(value, kind);
  return typeof value === "string" ? elementsIn(value, element) : undefined;
}

/** The elements of an array in PostgreSQL's own form. */
function elementsIn(text: string, element: FieldKind): Json | undefined {
  if (!/^\{.*\}$/s.test(text)) return undefined;
  return parse(text, (one) => (element === "boolean" ? one === "t" : read(one, element)));
}

/** PostgreSQL prints many constants as text with a cast. */
function read(value: Exclude<Json, object>, kind: FieldKind): Json {
  if (typeof value !== "string" || isExactKind(kind)) return value;
  if (kind === "integer" || kind === "float" || kind === "bigint")
    return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (kind === "json") return asJson(parsedJson(value));
  if (kind === "datetime") return value.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00");
  return value;
}

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}
