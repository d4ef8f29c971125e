import type { FieldKind } from "../../vocabulary/field-kinds.ts";
import type { Json } from "../../vocabulary/json.ts";
import { checkValue, type ValueRules } from "../definition/values.ts";
import { parsedJson } from "../output/parsed-json.ts";
import { parseExpression } from "./expression.ts";

/**
 * The literal that a default is, in the form of the models file: null for a default of null, undefined where it is no
 * literal or none that fits the field.
 */
export function literalDefault(expression: string, rules: ValueRules): Json | undefined {
  const parsed = parseExpression(expression);
  if (parsed?.is !== "value") return undefined;
  if (parsed.value === null) return null;
  const checked = checkValue(rules, read(parsed.value, rules.kind));
  return "value" in checked ? checked.value : undefined;
}

/** PostgreSQL prints many constants as text with a cast. */
function read(value: Exclude<Json, object>, kind: FieldKind): Json {
  if (typeof value !== "string") return value;
  if (kind === "integer" || kind === "float" || kind === "bigint")
    return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  if (kind === "json") return asJson(parsedJson(value));
  if (kind === "datetime") return value.replace(" ", "T").replace(/([+-]\d\d)$/, "$1:00");
  return value;
}

function asJson(value: unknown): Json {
  return JSON.parse(JSON.stringify(value ?? null));
}
