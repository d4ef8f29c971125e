import {
  elementKindOf,
  type FieldKind,
  type FieldKindRow,
  fieldKinds,
  type GraphqlType,
  type ListKind,
} from "../../../../vocabulary/fields/field-kinds.ts";
import { graphqlOperators, operatorsFor } from "../../../../vocabulary/fields/filter-operators.ts";
import { type enumFilter, schemaTypes, typesOfKind } from "../../../../vocabulary/graphql/names.ts";
import type { ServiceDefinition } from "../../../definition/definition.ts";
import { idKinds } from "../../../definition/stored.ts";

/** The view of `templates/graphql-scalars.hbs`: the scalars of the schema as TypeScript, for GraphQL Code Generator. */
export interface ScalarsView {
  readonly imports: null;
  /** `"BigInt": "number",` */
  readonly lines: readonly string[];
}

/** Scalars that are not built into GraphQL. */
type Scalar = Exclude<GraphqlType, "Int" | "Float" | "String" | "Boolean"> | typeof enumFilter;

const exactNumber = "number | string";

/** In the order of the schema. The compiler reports a scalar of a field kind that is missing here. */
const types: Readonly<Record<Scalar, string>> = {
  BigInt: fieldKinds.bigint.typescript,
  Int64: fieldKinds.int64.typescript,
  Decimal: fieldKinds.decimal.typescript,
  DateTime: fieldKinds.datetime.typescript,
  Date: fieldKinds.date.typescript,
  Time: fieldKinds.time.typescript,
  UUID: fieldKinds.uuid.typescript,
  JSON: "unknown",
  StringFilter: filterOf("text"),
  IntFilter: filterOf("integer"),
  BigIntFilter: filter(exactNumber, fieldKinds.bigint.compared),
  Int64Filter: filter(exactNumber, fieldKinds.int64.compared),
  DecimalFilter: filter(exactNumber, fieldKinds.decimal.compared),
  FloatFilter: filterOf("float"),
  BooleanFilter: filterOf("boolean"),
  UUIDFilter: filterOf("uuid"),
  DateFilter: filterOf("date"),
  DateTimeFilter: filterOf("datetime"),
  TimeFilter: filterOf("time"),
  StringListFilter: listFilterOf("text[]"),
  IntListFilter: listFilterOf("integer[]"),
  Int64ListFilter: listFilter(exactNumber),
  DecimalListFilter: listFilter(exactNumber),
  FloatListFilter: listFilterOf("float[]"),
  BooleanListFilter: listFilterOf("boolean[]"),
  UUIDListFilter: listFilterOf("uuid[]"),
  DateListFilter: listFilterOf("date[]"),
  DateTimeListFilter: listFilterOf("datetime[]"),
  TimeListFilter: listFilterOf("time[]"),
  EnumFilter: filter("string | number", "for equality"),
  JSONFilter: "null | { eq?: null; is_null?: boolean }",
};

/** The scalars of a service's schema. Scalars of rare field kinds are left out if no field has such a kind. */
export function usedScalars({ models }: ServiceDefinition): readonly string[] {
  const kinds = models.flatMap(({ idType, fields }) => [idKinds[idType], ...fields.map(({ kind }) => kind)]);
  const used = new Set(kinds.flatMap(typesOfKind));
  return Object.keys(types).filter((name) => schemaTypes.has(name) || used.has(name));
}

/** The view of `graphql/scalars.json`. */
export function scalarsView(definition: ServiceDefinition): ScalarsView {
  const used = usedScalars(definition);
  const shown = Object.entries(types).filter(([name]) => used.includes(name));
  const lines = shown.map(([name, type]) => `${JSON.stringify(name)}: ${JSON.stringify(type)}`);
  return { imports: null, lines: lines.map((line, index) => (index < lines.length - 1 ? `${line},` : line)) };
}

/** The filter of fields of a kind. */
function filterOf(kind: FieldKind): string {
  return filter(fieldKinds[kind].typescript, fieldKinds[kind].compared);
}

/** A plain value, null, or an object of operators. */
function filter(type: string, compared: FieldKindRow["compared"]): string {
  const known = [...graphqlOperators].filter(([, operator]) => operatorsFor[compared].has(operator));
  const list = listType(type);
  const values = known.map(([name, operator]) => {
    if (operator === "in" || operator === "not_in") return `${name}?: ${list}`;
    return `${name}?: ${name === "eq" ? `${type} | null` : type}`;
  });
  return `${type} | null | { ${[...values, "is_null?: boolean"].join("; ")} }`;
}

function listFilterOf(kind: ListKind): string {
  return listFilter(fieldKinds[elementKindOf(kind) ?? kind].typescript);
}

/** The filter of a list. The value of each operator is a list, or one value that stands for a list of one. */
function listFilter(element: string): string {
  return filter(`${element} | ${listType(element)}`, "as list");
}

function listType(type: string): string {
  return `readonly ${type.includes("|") ? `(${type})` : type}[]`;
}
