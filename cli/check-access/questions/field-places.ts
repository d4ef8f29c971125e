import type { FieldDefinition, ModelDefinition } from "#generator/definition/definition";
import { comparedByDbType } from "#vocabulary/fields/db-types";
import { elementKindOf, fieldKinds } from "#vocabulary/fields/field-kinds";
import type { Json } from "#vocabulary/json";
import type { Operation } from "#vocabulary/operations";
import type { Front } from "../access-report.ts";
import type { StoredRow } from "../table-rows.ts";
import { noUuid, type Question, queryOf } from "./ask.ts";
import { toolQuestion } from "./ask-tool.ts";
import { requestOf } from "./write-kinds.ts";

/** What a question about a field is made of. */
export interface AskedField {
  readonly model: ModelDefinition;
  readonly field: FieldDefinition;
  readonly value: Json;
  /** A row to write. */
  readonly row: StoredRow | null;
  /** Another field, so that only the asked place names the closed one. */
  readonly other: string;
  /** A `has_many` to the model, of another model that the caller can fetch. */
  readonly join: { readonly from: string; readonly name: string } | null;
}

/** A place of a request that names a field. */
export interface FieldPlace {
  readonly operation: Exclude<Operation, "destroy">;
  readonly front: Front;
  readonly name: string;
  /** Null if the place does not take the field. */
  question(asked: AskedField): Question | null;
}

type Takes = (field: FieldDefinition) => boolean;

const isAny: Takes = () => true;
const isFiltered: Takes = ({ kind }) => kind !== "json" && kind !== "password";
const isScalar: Takes = (field) => isFiltered(field) && field.items === null;
const isOrdered: Takes = (field) => isScalar(field) && comparedByDbType(field) === null;
const isBounded: Takes = (field) => isOrdered(field) && field.kind !== "boolean" && field.kind !== "uuid";
const isSummed: Takes = ({ kind, foreignKey }) => fieldKinds[kind].summed && foreignKey === null;

const textOf = (value: Json) =>
  encodeURIComponent(typeof value === "object" ? JSON.stringify(value) : String(value));

/** A query of REST. */
function rest(
  operation: "fetch" | "search" | "count" | "exists",
  name: string,
  takes: Takes,
  query: (field: string, value: string) => string,
): FieldPlace {
  const question: FieldPlace["question"] = ({ model: { slug }, field, value }) =>
    takes(field) ? { method: "GET", path: `${slug}/${operation}?${query(field.name, textOf(value))}` } : null;
  return { operation, front: "rest", name, question };
}

/** A root field of GraphQL. Rows without an id have no pages. */
function graphql(
  operation: "fetch" | "search",
  name: string,
  takes: Takes,
  root: (key: string, field: string, other: string, join: AskedField["join"]) => string | null,
): FieldPlace {
  const question: FieldPlace["question"] = ({ model, field, value, other, join }) => {
    const isOffered = model.columns.id !== null || !name.endsWith(" of a page");
    const text = isOffered && takes(field) ? root(model.key, field.name, other, join) : null;
    if (text === null) return null;
    if (!text.includes("$value")) return queryOf(`{ ${text} }`);
    const type = fieldKinds[elementKindOf(field.kind) ?? field.kind].graphql.filter ?? "JSON";
    return queryOf(`query ($value: ${type}) { ${text} }`, { value });
  };
  return { operation, front: "graphql", name, question };
}

/** An argument of a tool. */
function tool(
  name: string,
  takes: Takes,
  args: (field: string, value: Json) => { readonly [name: string]: Json },
): FieldPlace {
  const question: FieldPlace["question"] = ({ model, field, value }) =>
    takes(field) && model.mcp.includes("fetch")
      ? toolQuestion(model, "fetch", args(field.name, value))
      : null;
  return { operation: "fetch", front: "mcp", name, question };
}

/** A filter of a write of many rows. */
const filtered = (
  operation: "update" | "delete",
  name: string,
  method: string,
  body: (filter: Json) => Json,
): FieldPlace => ({
  operation,
  front: "rest",
  name,
  question: ({ model: { slug }, field, value }) =>
    isFiltered(field) ? { method, path: `${slug}/${operation}`, body: body({ [field.name]: value }) } : null,
});

/** Where a field that a caller cannot read must not be: the answer would reveal its value. */
// biome-ignore format: one case a line
export const readPlaces: readonly FieldPlace[] = [
  rest("fetch", "select_fields", isAny, (name) => `select_fields=${name}`),
  ...(["fetch", "search", "count", "exists"] as const).map((operation) =>
    rest(operation, "a filter", isScalar, (name, value) => `${name}=${value}`)),
  rest("fetch", "a null filter", isAny, (name) => `${name}__is_null=true`),
  rest("fetch", "order_by", isOrdered, (name) => `order_by=${name}`),
  rest("search", "order_by", isOrdered, (name) => `order_by=${name}`),
  filtered("update", "where", "PUT", (where) => ({ where, data: {} })),
  filtered("delete", "query", "DELETE", (query) => ({ query })),
  tool("select", isAny, (name) => ({ select: [name] })),
  tool("where", isFiltered, (name, value) => ({ where: { [name]: value } })),
  tool("order_by", isOrdered, (name) => ({ order_by: name })),
  graphql("fetch", "a selection", isAny, (key, name) => `${key} { ${name} }`),
  graphql("fetch", "a filter", isFiltered, (key, name, other) => `${key}(${name}: $value) { ${other} }`),
  graphql("fetch", "orderBy", isOrdered, (key, name, other) => `${key}(orderBy: "${name}") { ${other} }`),
  graphql("fetch", "a filter of a page", isFiltered, (key, name, other) => `${key}_page(where: { ${name}: $value }) { rows { ${other} } }`),
  graphql("fetch", "orderBy of a page", isOrdered, (key, name, other) => `${key}_page(orderBy: "${name}") { rows { ${other} } }`),
  graphql("fetch", "a filter of a join", isFiltered, (_, name, other, join) => join && `${join.from} { ${join.name}(${name}: $value) { ${other} } }`),
  graphql("search", "a filter of an aggregate", isFiltered, (key, name) => `${key}_aggregate(${name}: $value) { count }`),
  graphql("search", "groupBy", isOrdered, (key, name) => `${key}_aggregate(groupBy: [${name}]) { count }`),
  ...(["min", "max"] as const).map((name) =>
    graphql("search", `the aggregate ${name}`, isBounded, (key, field) => `${key}_aggregate { ${name} { ${field} } }`)),
  ...(["sum", "avg"] as const).map((name) =>
    graphql("search", `the aggregate ${name}`, isSummed, (key, field) => `${key}_aggregate { ${name} { ${field} } }`)),
];

/** Where a field that a caller cannot write must not be. */
export const writePlaces: readonly FieldPlace[] = (
  ["create", "update", "upsert", "restore"] as const
).flatMap((operation) =>
  (["rest", "graphql", "mcp"] as const).map((front): FieldPlace => {
    const question: FieldPlace["question"] = ({ model, field, value, row }) => {
      if (operation === "restore" && !model.softDelete) return null;
      if (front === "mcp" && (operation === "restore" || !model.mcp.includes(operation))) return null;
      const id = row?.id ?? (model.idType === "uuid" ? noUuid : "1");
      const ruled = operation === "upsert" ? "upsert of a new row" : operation;
      const write = { ruled, id, sent: { [field.name]: value } } as const;
      return requestOf(model, front, write, []);
    };
    return { operation, front, name: front === "graphql" ? "input" : "data", question };
  }),
);

/** The fields of a model, and its time columns with gates. Every other question asks for `id`. */
export function fieldsAsked({ fields, access, columns }: ModelDefinition): readonly FieldDefinition[] {
  const times = (["created_at", "updated_at"] as const).filter((name) =>
    access.fields.some(({ field }) => field === name),
  );
  const [any] = fields;
  if (any === undefined) return [];
  const time = {
    ...any,
    kind: "datetime",
    enum: null,
    items: null,
    searchable: false,
    foreignKey: null,
  } as const;
  return [...fields, ...times.map((name) => ({ ...time, name, dbType: columns[name]?.dbType ?? null }))];
}
