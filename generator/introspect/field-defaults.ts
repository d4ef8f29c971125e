import { parse } from "postgres-array";
import { elementKindOf, type FieldKind, isExactKind } from "../../vocabulary/fields/field-kinds.ts";
import { anyItems } from "../../vocabulary/fields/field-schema.ts";
import type { Json } from "../../vocabulary/json.ts";
import { checkValue, type ValueRules } from "../definition/values.ts";
import { parsedJson } from "../output/lock-file.ts";
import type { Draft, DraftColumn } from "./draft.ts";
import { parseExpression, type SqlExpression } from "./expression.ts";
import type { AdoptedRules } from "./field-rules.ts";
import type { Remark } from "./remarks.ts";

export interface FieldDefaults {
  readonly defaults: ReadonlyMap<DraftColumn, Json>;
  readonly remarks: readonly Remark[];
}

/** Reads the defaults of the fields of a table. */
export function fieldDefaultsOf(
  draft: Draft,
  rules: AdoptedRules,
  kindOf: (column: DraftColumn) => FieldKind,
): FieldDefaults {
  const defaults = new Map<DraftColumn, Json>();
  const remarks: Remark[] = [];
  for (const column of draft.columns) {
    const { source, place, type } = column;
    if (place !== "field" || source.default === null) continue;
    const value = literalDefault(source.default, {
      kind: kindOf(column),
      enum: rules.enums.get(column)?.oneOf ?? null,
      minimum: rules.minimum.get(column) ?? null,
      maximum: rules.maximum.get(column) ?? null,
      minLength: null,
      maxLength: type.maxLength,
      pattern: null,
      decimal: type.decimal,
      items: type.elements === null ? null : anyItems,
    });
    if (value === undefined) remarks.push(defaultRemark(draft.source.name, column, source.default));
    else if (value !== null) defaults.set(column, value);
  }
  return { defaults, remarks };
}

function defaultRemark(table: string, { source, name }: DraftColumn, expression: string): Remark {
  const outcome = source.nullable
    ? "it stays for other programs; the service stores null if a request sends no value"
    : `it stays for other programs; requests must send ${name}, or a before_create hook sets it`;
  return { table, what: `default of ${source.name}, ${expression}`, outcome };
}

/**
 * The literal of a default, in the form of the models file. Null for a default of null, undefined if it is not a
 * literal or does not fit the field.
 */
export function literalDefault(expression: string, rules: ValueRules): Json | undefined {
  const parsed = parseExpression(expression);
  const value = parsed === null ? undefined : literalOf(parsed, rules.kind);
  if (value === undefined || value === null) return value;
  const checked = checkValue(rules, value);
  return "value" in checked ? checked.value : undefined;
}

function literalOf(parsed: SqlExpression, kind: FieldKind): Json | undefined {
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

/** The elements of an array in PostgreSQL's text form. */
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
