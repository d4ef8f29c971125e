import { graphqlOperators } from "../fields/filter-operators.ts";
import { isJsonObject, type Json } from "../json.ts";
import { type DocumentedOperation, type OpenApiDocument, type Part, partIn } from "../openapi/document.ts";
import { defaultLimit, type Operation } from "../operations.ts";
import { InlinedSchemas } from "./inlined-schemas.ts";

/** A JSON Schema of an object, without `$ref`. */
export type ToolSchema = {
  readonly type: "object";
  readonly properties: Part;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
};

/** The parts of the schemas of a model's tools. */
export interface ModelSchemas {
  /** Empty without one. */
  readonly description: string;
  readonly argumentsOf: (operation: Operation) => ToolSchema;
}

/** More rows than this are an error, also for models with a higher `max_limit`. */
export const mostToolRows = 100;

/** An object that has no other properties. */
export function closedObject(properties: Part, required: readonly string[] = []): ToolSchema {
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  };
}

/** The schemas for the fields of a role, whose document is `reached`. `name` is the name of the model in documents. */
export function toolSchemas(reached: OpenApiDocument, whole: OpenApiDocument, name: string): ModelSchemas {
  const { schemas } = reached.components;
  const part = partIn(schemas[`${name}Part`]);
  const fields = propertiesOf(part);
  const model = partIn(whole.components.schemas[`${name}Part`]);
  const { max_limit: own } = partIn(model["x-kirak-model"]);
  const maximum = Math.min(Number(own), mostToolRows);
  const all = propertiesOf(model);
  const described = (field: string): Json => partIn(all[field])["description"] ?? null;
  const inputs = Object.entries(propertiesOf(schemas[`${name}Input`])).map(
    ([field, schema]) => [field, withDescription(plain(schema), described(field))] as const,
  );
  const data = (of: "Create" | "Upsert" | "Update"): Json => {
    const { required, ...rest } = partIn(schemas[`${name}${of}`]);
    const { id } = propertiesOf(rest);
    const properties = { ...(isJsonObject(id) && { id: plain(id) }), ...Object.fromEntries(inputs) };
    return closedObject(properties, Array.isArray(required) ? required.map(String) : []);
  };
  const where = whereOf(propertiesOf(schemas[`${name}Filter`]), described);
  const id = plain(fields["id"] ?? {});
  const ids: Json = { type: "array", items: id, minItems: 1 };
  const names: Json = { type: "string", enum: Object.keys(fields) };
  const list: Part = {
    where,
    select: { type: "array", items: names, description: "The fields of the rows. Default: all." },
    order_by: names,
    order: { type: "string", enum: ["ASC", "DESC"] },
    limit: { type: "integer", minimum: 1, maximum, default: Math.min(defaultLimit, maximum) },
    ...("id" in all && { after: { type: "string", description: "`next` of the page before." } }),
  };
  const confirm: Json = {
    type: "boolean",
    description: "For clients that cannot show a form: true after a person has agreed.",
  };
  const hasId = "id" in fields;
  const removal = closedObject({ ...(hasId && { ids }), where, confirm });
  const of: Readonly<Record<Operation, () => ToolSchema>> = {
    fetch: () => closedObject(list),
    search: () => closedObject({ search_term: { type: "string" }, ...list }),
    count: () => closedObject({ where }),
    exists: () => closedObject({ where }, ["where"]),
    create: () => closedObject({ data: data("Create") }, ["data"]),
    upsert: () => closedObject({ data: data("Upsert") }, ["data"]),
    update: () => closedObject({ ...(hasId && { id }), where, data: data("Update"), confirm }, ["data"]),
    delete: () => removal,
    destroy: () => removal,
    restore: () => closedObject({ where }, ["where"]),
  };
  const { description } = part;
  return {
    description: typeof description === "string" ? description : "",
    argumentsOf: (operation) => of[operation](),
  };
}

/** A filter for each field: a value, or an object of operators, as in GraphQL. A `json` field only has `is_null`. */
function whereOf(filters: Part, described: (field: string) => Json): ToolSchema {
  const fields = new Set(Object.keys(filters).map((name) => name.replace(/(?<=.)__[a-z_]+$/, "")));
  const properties = [...fields].map((field): [string, Json] => {
    const operators = [...graphqlOperators].flatMap(([name, operator]): [string, Json][] => {
      const schema = filters[operator === "eq" ? field : `${field}__${operator}`];
      return schema === undefined ? [] : [[name, operandOf(plain(schema))]];
    });
    const all = closedObject({ ...Object.fromEntries(operators), is_null: { type: "boolean" } });
    const { format: _, ...value } = plain(filters[field] ?? {});
    const schema = field in filters ? { anyOf: [value, all] } : all;
    return [field, withDescription(schema, described(field))];
  });
  return closedObject(Object.fromEntries(properties));
}

/** Operands have the type of the field, which its plain value shows: schemas of all would take most of the list. */
function operandOf({ type }: Part): Json {
  return Array.isArray(type) && type.includes("array") ? { type: "array" } : {};
}

function withDescription(schema: Part, description: Json): Json {
  return typeof description === "string" ? { description, ...schema } : schema;
}

/** The schema of a custom route: `params`, `query` and `body`, as far as it has them. `schemas` are those of the document. */
export function routeSchema(
  { parameters = [], requestBody }: DocumentedOperation,
  schemas: OpenApiDocument["components"]["schemas"],
): ToolSchema {
  const inlined = new InlinedSchemas(schemas);
  const objectOf = (place: string): Part | null => {
    const found = parameters.filter((parameter) => parameter["in"] === place);
    if (found.length === 0) return null;
    // The exploded parameter of a route has all names that the document does not know.
    const named = found.filter(({ explode }) => explode !== true);
    const required = named.flatMap(({ name, required }) => (required === true ? [String(name)] : []));
    const properties = named.map(({ name, schema }) => [String(name), inlined.closed(schema ?? {})] as const);
    const closed = closedObject(Object.fromEntries(properties), required);
    return named.length === found.length ? closed : { ...closed, additionalProperties: true };
  };
  const [params, query] = [objectOf("path"), objectOf("query")];
  const { required, content } = partIn(requestBody);
  const { schema: body } = partIn(partIn(content)["application/json"]);
  const parts = {
    ...(params !== null && { params }),
    ...(query !== null && { query }),
    ...(body !== undefined && { body: inlined.closed(body) }),
  };
  return closedObject(parts, [
    ...(params === null ? [] : ["params"]),
    ...(query?.["required"] === undefined ? [] : ["query"]),
    ...(required === true ? ["body"] : []),
  ]);
}

/** A schema without Kirak's notes. */
function plain(schema: Json): Part {
  return Object.fromEntries(Object.entries(partIn(schema)).filter(([keyword]) => !keyword.startsWith("x-")));
}

function propertiesOf(schema: Json | undefined): Part {
  return partIn(partIn(schema)["properties"]);
}
