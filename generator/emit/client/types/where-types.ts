import { type Operator, operators } from "../../../../vocabulary/fields/filter-operators.ts";
import type { Json } from "../../../../vocabulary/json.ts";
import type { DocumentSchema, Part } from "../../../../vocabulary/openapi/document.ts";
import { isDocumentSchema, isPart, propertiesIn } from "../json-parts.ts";
import { interfaceText } from "./declarations.ts";
import { type Property, propertyText } from "./schema-types.ts";
import type { TypeNames } from "./type-names.ts";

const suffixed = new RegExp(`^(.+)__(${operators.join("|")})$`);

/** The filters on a field. */
type Filters = ReadonlyMap<Operator, Json>;

/** The interface of a model's filters. */
export function whereText(name: string, schema: DocumentSchema | undefined, names: TypeNames): string {
  const lines = [...filtersByField(schema ?? {})].map(([field, filters]) => {
    const property: Property = { name: field, type: filterType(filters, names), required: false };
    // `undefined` would not filter, so that it is not a value.
    return `${propertyText(property, "answered")};`;
  });
  return interfaceText({ name }, lines);
}

function filtersByField(schema: DocumentSchema): ReadonlyMap<string, Filters> {
  const fields = new Map<string, Map<Operator, Json>>();
  for (const [name, filter] of Object.entries(propertiesIn(schema))) {
    const [, field = name, suffix = "eq"] = suffixed.exec(name) ?? [];
    const operator = operators.find((each) => each === suffix) ?? "eq";
    const filters = fields.get(field) ?? new Map<Operator, Json>();
    fields.set(field, filters.set(operator, filter));
  }
  return fields;
}

/** A value, null, or the interface of the operators that the field has. Those are in `templates/client/filters.ts`. */
function filterType(filters: Filters, names: TypeNames): string {
  const equal = filters.get("eq");
  if (!isDocumentSchema(equal)) return "NullFilter | null";
  const value = names.typeOf(withoutNull(equal), "sent");
  if (filters.has("contains")) return `${value} | ListFilter<${names.typeOf(itemsOf(equal), "sent")}> | null`;
  if (filters.has("like")) return `${value} | TextFilter | null`;
  return `${value} | ${filters.has("gt") ? "OrderFilter" : "EqualFilter"}<${value}> | null`;
}

/** The schema of a filter without null, which each field has. */
function withoutNull(schema: DocumentSchema): DocumentSchema {
  if (!isPart(schema)) return schema;
  const { type = [], enum: values, ...others } = schema;
  return {
    ...others,
    type: [type].flat().filter((one) => one !== "null"),
    ...(Array.isArray(values) && { enum: values.filter((value) => value !== null) }),
  };
}

function itemsOf(schema: DocumentSchema): DocumentSchema {
  const { items }: Part = isPart(schema) ? schema : {};
  return isDocumentSchema(items) ? items : {};
}
