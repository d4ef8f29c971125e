import type { FieldKindRow } from "../../../../vocabulary/field-kinds.ts";
import { graphqlOperators, operatorsFor } from "../../../../vocabulary/filter-operators.ts";
/** What `templates/graphql-scalars.hbs` prints: the scalars of the schema as TypeScript, for GraphQL Code Generator. */
export interface ScalarsView {
  readonly imports: null;
  /** `"BigInt": "number",` */
  readonly lines: readonly string[];
}

const types: Readonly<Record<string, string>> = {
  BigInt: "number",
  DateTime: "string",
  Date: "string",
  UUID: "string",
  JSON: "unknown",
  StringFilter: filter("string", "as text"),
  IntFilter: filter("number", "in order"),
  BigIntFilter: filter("number | string", "in order"),
  FloatFilter: filter("number", "in order"),
  BooleanFilter: filter("boolean", "for equality"),
  UUIDFilter: filter("string", "for equality"),
  DateFilter: filter("string", "in order"),
  DateTimeFilter: filter("string", "in order"),
  EnumFilter: filter("string | number", "for equality"),
  JSONFilter: "null | { eq?: null; is_null?: boolean }",
};

/** The view of `graphql/scalars.json`. */
export function scalarsView(): ScalarsView {
  const lines = Object.entries(types).map(
    ([name, type]) => `${JSON.stringify(name)}: ${JSON.stringify(type)}`,
  );
  return { imports: null, lines: lines.map((line, index) => (index < lines.length - 1 ? `${line},` : line)) };
}

/** A plain value, null, or an object of operators. */
function filter(type: string, compared: FieldKindRow["compared"]): string {
  const known = [...graphqlOperators].filter(([, operator]) => operatorsFor[compared].has(operator));
  const list = `readonly ${type.includes("|") ? `(${type})` : type}[]`;
  const values = known.map(([name, operator]) => {
    if (operator === "in" || operator === "not_in") return `${name}?: ${list}`;
    return `${name}?: ${name === "eq" ? `${type} | null` : type}`;
  });
  return `${type} | null | { ${[...values, "is_null?: boolean"].join("; ")} }`;
}
