import { closedSchema } from "../code-schemas.ts";
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

/** The schema of a custom route: `params`, `query` and `body`, as far as it has them. `schemas` are those of the document. */
export function routeSchema(
  { parameters = [], requestBody }: DocumentedOperation,
  schemas: OpenApiDocument["components"]["schemas"],
): ToolSchema {
  const objectOf = (place: string): ToolSchema | null => {
    const found = parameters.filter((parameter) => parameter["in"] === place);
    const required = found.flatMap(({ name, required }) => (required === true ? [String(name)] : []));
    const properties = found.map(
      ({ name, schema = {} }) => [String(name), inlined(schema, schemas)] as const,
    );
    return found.length === 0 ? null : closedObject(Object.fromEntries(properties), required);
  };
  const [params, query] = [objectOf("path"), objectOf("query")];
  const { required, content } = partIn(requestBody);
  const { schema: body } = partIn(partIn(content)["application/json"]);
  const parts = {
    ...(params !== null && { params }),
    ...(query !== null && { query }),
    ...(body !== undefined && { body: inlined(body, schemas) }),
  };
  return closedObject(parts, [
    ...(params === null ? [] : ["params"]),
    ...(query?.required === undefined ? [] : ["query"]),
    ...(required === true ? ["body"] : []),
  ]);
}

/** A schema with those that it refers to. A reference to a schema around it becomes any value. */
function inlined(schema: unknown, schemas: Part, around: readonly string[] = []): Json {
  if (Array.isArray(schema)) return schema.map((each) => inlined(each, schemas, around));
  if (isJsonObject(schema)) {
    const { $ref, unevaluatedProperties: _, ...own } = schema;
    if (typeof $ref !== "string")
      return Object.fromEntries(
        Object.entries(schema).map(([key, value]) => [key, inlined(value, schemas, around)]),
      );
    const name = $ref.split("/").at(-1) ?? "";
    if (around.includes(name)) return {};
    return inlined(closedSchema({ ...partIn(schemas[name]), ...own }), schemas, [...around, name]);
  }
  return typeof schema === "string" || typeof schema === "number" || typeof schema === "boolean"
    ? schema
    : null;
}

/** A schema without Kirak's notes. */
function plain(schema: Json): Part {
  return Object.fromEntries(Object.entries(partIn(schema)).filter(([keyword]) => !keyword.startsWith("x-")));
}

function propertiesOf(schema: Json | undefined): Part {
  return partIn(partIn(schema)["properties"]);
}

/** An object of a document; empty for another value. */
export function partIn(value: Json | undefined): Part {
  return isJsonObject(value) ? value : {};
}
