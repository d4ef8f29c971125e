import { graphqlOperators } from "../fields/filter-operators.ts";
import { isJsonObject, type Json } from "../json.ts";
import type { DocumentedOperation, OpenApiDocument, Part } from "../openapi/document.ts";
import { defaultLimit, type Operation } from "../operations.ts";

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
  const part = objectIn(schemas[`${name}Part`]);
  const fields = propertiesOf(part);
  const model = objectIn(whole.components.schemas[`${name}Part`]);
  const { max_limit: most = mostToolRows } = objectIn(model["x-kirak-model"]);
  const all = propertiesOf(model);
  const described = (field: string): Json => objectIn(all[field])["description"] ?? null;
  const inputs = Object.entries(propertiesOf(schemas[`${name}Input`])).map(
    ([field, schema]) => [field, withDescription(plain(schema), described(field))] as const,
  );
  const data = (of: "Create" | "Upsert" | "Update"): Json => {
    const { required, ...rest } = objectIn(schemas[`${name}${of}`]);
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
    limit: {
      type: "integer",
      minimum: 1,
      maximum: Math.min(Number(most), mostToolRows),
      default: defaultLimit,
    },
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

const operatorNames = new Map<string, string>(
  [...graphqlOperators].map(([name, operator]) => [operator, name]),
);

/** A filter for each field: a value, or an object of operators, as in GraphQL. */
function whereOf(filters: Part, described: (field: string) => Json): ToolSchema {
  const fields = Object.keys(filters).filter((name) => !/(?<=.)__[a-z]/.test(name));
  const properties = fields.map((field): [string, Json] => {
    const { format: _, ...value } = plain(filters[field] ?? {});
    const operators = Object.entries(filters).flatMap(([name, schema]): [string, Json][] => {
      const operator = name.startsWith(`${field}__`)
        ? operatorNames.get(name.slice(field.length + 2))
        : undefined;
      return operator === undefined ? [] : [[operator, operandOf(plain(schema))]];
    });
    const all = Object.fromEntries([...operators, ["is_null", { type: "boolean" }]]);
    return [field, withDescription({ anyOf: [value, closedObject(all)] }, described(field))];
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

/** The schema of a custom route: `params`, `query` and `body`, as far as it has them. */
export function routeSchema({ parameters = [], requestBody }: DocumentedOperation): ToolSchema {
  const named = (place: string) => parameters.filter((parameter) => parameter["in"] === place);
  const objectOf = (place: string): ToolSchema | undefined => {
    const found = named(place);
    if (found.length === 0) return undefined;
    const required = found.flatMap(({ name, required }) => (required === true ? [String(name)] : []));
    const properties = found.map(({ name, schema = {}, description = null }): [string, Json] => [
      String(name),
      withDescription(objectIn(closed(plain(schema))), description),
    ]);
    return closedObject(Object.fromEntries(properties), required);
  };
  const json = objectIn(objectIn(objectIn(requestBody)["content"])["application/json"]);
  const [params, query] = [objectOf("path"), objectOf("query")];
  const { schema: body } = json;
  const parts = {
    ...(params !== undefined && { params }),
    ...(query !== undefined && { query }),
    ...(body !== undefined && { body: closed(plain(body)) }),
  };
  return closedObject(parts, [
    ...(params === undefined ? [] : ["params"]),
    ...(query !== undefined && "required" in query ? ["query"] : []),
    ...(objectIn(requestBody)["required"] === true ? ["body"] : []),
  ]);
}

/** A schema whose objects have no other properties than those that it names. References to other schemas become any value. */
function closed(schema: Json, depth = 0): Json {
  if (Array.isArray(schema)) return schema.map((each) => closed(each, depth + 1));
  if (!isJsonObject(schema)) return schema;
  if ("$ref" in schema || depth > 32) return {};
  const { $defs: _, ...kept } = schema;
  const entries = Object.entries(kept).map(([keyword, value]): [string, Json] => [
    keyword,
    keyword === "enum" || keyword === "const" || keyword === "default" ? value : closed(value, depth + 1),
  ]);
  const isOpen = "properties" in kept && !("additionalProperties" in kept);
  return Object.fromEntries(isOpen ? [...entries, ["additionalProperties", false]] : entries);
}

/** A schema without Kirak's notes. */
function plain(schema: Json): Part {
  return Object.fromEntries(
    Object.entries(objectIn(schema)).filter(([keyword]) => !keyword.startsWith("x-")),
  );
}

function propertiesOf(schema: Json | undefined): Part {
  return objectIn(objectIn(schema)["properties"]);
}

function objectIn(value: Json | undefined): Part {
  return isJsonObject(value) ? value : {};
}
