import { comparedByDbType, elementDbType } from "../../../vocabulary/fields/db-types.ts";
import { elementKindOf, type FieldKind, fieldKinds } from "../../../vocabulary/fields/field-kinds.ts";
import {
  anyItems,
  columnLimits,
  type FieldConstraints,
  type ListBounds,
  stringLength,
} from "../../../vocabulary/fields/field-schema.ts";
import { type Operator, operators, operatorsOf } from "../../../vocabulary/fields/filter-operators.ts";
import type { Json } from "../../../vocabulary/json.ts";
import type { Part } from "../../../vocabulary/openapi/document.ts";
import type { FieldDefinition } from "../../definition/definition.ts";

/**
 * Types and formats of values in JSON, where they differ from those of validators. A format never refuses
 * what the service takes, because generated validators check it.
 */
const wire: Readonly<Partial<Record<FieldKind, { readonly [Of in Purpose]?: Part }>>> = {
  decimal: { answer: { type: "string", format: "decimal" }, input: { type: ["string", "number"] } },
  int64: { answer: { type: "string", format: "int64" }, input: { type: ["string", "integer"] } },
  // The service also takes a date, and a time without seconds or offset.
  datetime: { answer: { type: "string", format: "date-time" }, input: { type: "string" } },
  // A time without an offset: the format `time` of JSON Schema has one.
  time: { answer: { type: "string", format: "time-local" }, input: { type: "string" } },
  // `email` has ASCII only.
  email: { answer: { type: "string", format: "idn-email" }, filter: { type: "string" } },
};

/** The constraints of a value in JSON; `null` and missing ones do not apply. */
export type ValueConstraints = Omit<FieldConstraints, "decimal">;

type Purpose = "answer" | "input" | "filter";

/** The schema of a field's value, without annotations. */
export function valueSchema(field: ValueConstraints, purpose: Purpose): Part {
  const { kind, nullable = false } = field;
  const element = elementKindOf(kind);
  if (element !== null)
    return orNull(
      {
        type: "array",
        items: valueSchema(
          { ...field, kind: element, dbType: elementDbType(field), nullable: false },
          purpose,
        ),
        ...itemBounds(field.items ?? anyItems),
      },
      nullable,
    );
  // JSON includes null.
  if (kind === "json" && nullable) return {};
  const { type = null, ...format } = typeOf(kind, purpose);
  if (field.enum == null) return orNull({ type, ...format, ...bounds(field, purpose) }, nullable);
  return enumSchema({ kind, allowed: field.enum, isSent: purpose !== "answer" }, nullable);
}

interface AllowedValues {
  readonly kind: FieldKind;
  readonly allowed: readonly Json[];
  /** In a request, an exact number can also be a number. */
  readonly isSent: boolean;
}

function enumSchema({ kind, allowed, isSent }: AllowedValues, nullable: boolean): Part {
  const isExact = isSent && (kind === "decimal" || kind === "int64");
  const numbers = isExact ? allowed.map(Number).filter((value) => Math.abs(value) < 2 ** 53) : [];
  const { type = null } = typeOf(kind, "answer");
  return {
    // Orval repeats the values for each type of a list.
    ...(isExact ? {} : { type: withNull(type, nullable) }),
    enum: [...allowed, ...numbers, ...(nullable ? [null] : [])],
  };
}

function typeOf(kind: FieldKind, purpose: Purpose): Part {
  const { answer = fieldKinds[kind].schema, input = answer, filter = input } = wire[kind] ?? {};
  return { answer, input, filter }[purpose];
}

function bounds(field: ValueConstraints, purpose: Purpose): Part {
  const { kind, minLength, maxLength, minimum, maximum } = field;
  const pattern = field.pattern ?? (purpose === "input" ? fractionPattern(field) : null);
  const found = {
    minLength,
    maxLength: maxLength ?? (kind === "string" ? stringLength : null),
    minimum: numberOf(minimum),
    maximum: numberOf(maximum),
    pattern: isPortable(pattern ?? null) ? pattern : null,
  };
  return declared(found);
}

/** A pattern for the digits of a second that a column holds; null if the kind has its own. */
function fractionPattern(field: ValueConstraints): string | null {
  const digits = columnLimits(field)?.fractionDigits ?? null;
  return digits === null ? null : `^[^.]*(?:\\.[0-9]{0,${digits}}0*(?:[^0-9].*)?)?$`;
}

/** A bound as a number: those of exact numbers are texts in the definition. */
function numberOf(bound: number | string | null | undefined): number | null {
  return bound == null ? null : Number(bound);
}

/** Whether JavaScript reads a pattern. Patterns of models have the syntax of RE2. */
export function isPortable(pattern: string | null): boolean {
  if (pattern === null) return false;
  try {
    new RegExp(pattern, "u");
    return true;
  } catch {
    return false;
  }
}

function itemBounds({ least, most, unique }: ListBounds): Part {
  return { ...declared({ minItems: least, maxItems: most }), ...(unique ? { uniqueItems: true } : {}) };
}

function orNull({ type = null, ...rest }: Part, nullable: boolean): Part {
  return { type: withNull(type, nullable), ...rest };
}

function withNull(type: Json, nullable: boolean): Json {
  return nullable ? [type, "null"].flat() : type;
}

/** The properties that have a value. */
export function declared(properties: Readonly<Record<string, Json | null | undefined>>): Part {
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, value]) => (value == null ? [] : [[name, value]])),
  );
}

/** The schemas of a field's filters, by operator. */
export type FilterSchemas = readonly (readonly [operator: Operator, schema: Part])[];

type FilteredField = Pick<FieldDefinition, "kind" | "dbType" | "enum">;

/** Makes the schemas of filters. Fields of one kind share them, unless they have an enum. */
export function filterMaker(): (field: FilteredField) => FilterSchemas {
  const known = new Map<string, FilterSchemas>();
  return (field) => {
    const key = `${field.kind} ${comparedByDbType(field) ?? ""}`;
    const schemas = (field.enum === null ? known.get(key) : undefined) ?? filterSchemas(field);
    if (field.enum === null) known.set(key, schemas);
    return schemas;
  };
}

function filterSchemas(field: FilteredField): FilterSchemas {
  const { kind, enum: allowed } = field;
  const element = elementKindOf(kind);
  const scalarOf = (nullable: boolean): Part => {
    const one = element ?? kind;
    if (allowed !== null) return enumSchema({ kind: one, allowed, isSent: true }, nullable);
    return orNull(typeOf(one, "filter"), nullable);
  };
  const scalar = scalarOf(false);
  const schemaOf = (operator: Operator): Part => {
    switch (operator) {
      case "is_null":
      case "is_not_null":
        return { const: true };
      case "in":
      case "not_in":
      case "between":
      case "contains":
      case "overlaps":
        // A text has the elements with commas between them.
        return { type: ["array", "string"], items: scalar };
      case "like":
      case "ilike":
        return { type: "string" };
      case "eq":
        return element === null ? scalarOf(true) : { type: "array", items: scalar };
      default:
        return scalar;
    }
  };
  const known = operatorsOf(field);
  return operators.filter((each) => known.has(each)).map((each) => [each, schemaOf(each)]);
}
