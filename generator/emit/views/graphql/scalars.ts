import {
  type FieldKind,
  type FieldKindRow,
  fieldKinds,
  type GraphqlType,
} from "../../../../vocabulary/field-kinds.ts";
import { graphqlOperators, operatorsFor } from "../../../../vocabulary/filter-operators.ts";
import type { enumFilter } from "../../../../vocabulary/graphql-names.ts";

/** What `templates/graphql-scalars.hbs` prints: the scalars of the schema as TypeScript, for GraphQL Code Generator. */
export interface ScalarsView {
  readonly imports: null;
  /** `"BigInt": "number",` */
  readonly lines: readonly string[];
}

/** Types of the schema that are not GraphQL's own. */
type Scalar = Exclude<GraphqlType, "Int" | "Float" | "String" | "Boolean"> | typeof enumFilter;

/** In the order of the schema. A type that a kind of field names and that is not here does not compile. */
const types: Readonly<Record<Scalar, string>> = {
  BigInt: fieldKinds.bigint.typescript,
  DateTime: fieldKinds.datetime.typescript,
  Date: fieldKinds.date.typescript,
  UUID: fieldKinds.uuid.typescript,
  JSON: "unknown",
  StringFilter: filterOf("text"),
  IntFilter: filterOf("integer"),
  BigIntFilter: filter("number | string", fieldKinds.bigint.compared),
  FloatFilter: filterOf("float"),
  BooleanFilter: filterOf("boolean"),
  UUIDFilter: filterOf("uuid"),
  DateFilter: filterOf("date"),
  DateTimeFilter: filterOf("datetime"),
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

/** The filter of fields of a kind. */
function filterOf(kind: FieldKind): string {
  return filter(fieldKinds[kind].typescript, fieldKinds[kind].compared);
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
