import type { FieldDefinition, ModelDefinition } from "#generator/definition/definition";
import { elementKindOf, fieldKinds } from "#vocabulary/fields/field-kinds";
import type { Json } from "#vocabulary/json";
import type { Front } from "../access-report.ts";
import type { StoredRow } from "../table-rows.ts";
import { noUuid, type Question, queryOf } from "./ask.ts";
import { graphqlWrite, restWrite } from "./write-kinds.ts";

/** A place of a request that names a field. A question for a value that a row has, and for one that no row has. */
export interface FieldPlace {
  readonly operation:
    | "fetch"
    | "search"
    | "count"
    | "exists"
    | "create"
    | "update"
    | "upsert"
    | "delete"
    | "restore";
  readonly front: Front;
  readonly name: string;
  /** Null if the place does not take the field. */
  question(
    model: ModelDefinition,
    field: FieldDefinition,
    value: Json,
    row: StoredRow | null,
  ): Question | null;
}

const rest = (
  operation: FieldPlace["operation"],
  name: string,
  question: FieldPlace["question"],
): FieldPlace => ({
  operation,
  front: "rest",
  name,
  question,
});
const graphql = (
  operation: FieldPlace["operation"],
  name: string,
  question: FieldPlace["question"],
): FieldPlace => ({
  operation,
  front: "graphql",
  name,
  question,
});

export const getQuestion = (model: ModelDefinition, operation: string, query: string): Question => ({
  method: "GET",
  path: `${model.slug}/${operation}?${query}`,
});
const isFiltered = ({ kind }: FieldDefinition) => kind !== "json" && kind !== "password";
const isScalar = ({ items, kind }: FieldDefinition) =>
  items === null && kind !== "json" && kind !== "password";
const textOf = (value: Json) =>
  encodeURIComponent(typeof value === "object" ? JSON.stringify(value) : String(value));

/** Where a field that a caller cannot read must not be: the answer would reveal its value. */
export const readPlaces: readonly FieldPlace[] = [
  rest("fetch", "select_fields", (model, { name }) => getQuestion(model, "fetch", `select_fields=${name}`)),
  ...(["fetch", "search", "count", "exists"] as const).map((operation) =>
    rest(operation, "a filter", (model, field, value) =>
      isScalar(field) ? getQuestion(model, operation, `${field.name}=${textOf(value)}`) : null,
    ),
  ),
  rest("fetch", "a null filter", (model, field) =>
    getQuestion(model, "fetch", `${field.name}__is_null=true`),
  ),
  rest("fetch", "order_by", (model, field) =>
    isScalar(field) ? getQuestion(model, "fetch", `order_by=${field.name}`) : null,
  ),
  rest("search", "order_by", (model, field) =>
    isScalar(field) ? getQuestion(model, "search", `order_by=${field.name}`) : null,
  ),
  rest("update", "where", (model, field, value) =>
    isFiltered(field)
      ? { method: "PUT", path: `${model.slug}/update`, body: { where: { [field.name]: value }, data: {} } }
      : null,
  ),
  rest("delete", "query", (model, field, value) =>
    isFiltered(field)
      ? { method: "DELETE", path: `${model.slug}/delete`, body: { query: { [field.name]: value } } }
      : null,
  ),
  graphql("fetch", "a selection", (model, { name }) => queryOf(`{ ${model.key} { ${name} } }`)),
  graphql("fetch", "a filter", (model, field, value) =>
    isFiltered(field)
      ? queryOf(
          `query ($value: ${typeOf(field)}) { ${model.key}(${field.name}: $value) { ${otherThan(model, field)} } }`,
          { value },
        )
      : null,
  ),
  graphql("fetch", "orderBy", (model, field) =>
    isScalar(field)
      ? queryOf(`{ ${model.key}(orderBy: "${field.name}") { ${otherThan(model, field)} } }`)
      : null,
  ),
  graphql("search", "a filter of an aggregate", (model, field, value) =>
    isFiltered(field)
      ? queryOf(
          `query ($value: ${typeOf(field)}) { ${model.key}_aggregate(${field.name}: $value) { count } }`,
          { value },
        )
      : null,
  ),
  graphql("search", "groupBy", (model, field) =>
    isScalar(field) ? queryOf(`{ ${model.key}_aggregate(groupBy: [${field.name}]) { count } }`) : null,
  ),
  ...(["min", "max"] as const).map((name) =>
    graphql("search", `the aggregate ${name}`, (model, field) =>
      isScalar(field) && field.kind !== "boolean" && field.kind !== "uuid"
        ? queryOf(`{ ${model.key}_aggregate { ${name} { ${field.name} } } }`)
        : null,
    ),
  ),
  ...(["sum", "avg"] as const).map((name) =>
    graphql("search", `the aggregate ${name}`, (model, field) =>
      fieldKinds[field.kind].summed && field.foreignKey === null
        ? queryOf(`{ ${model.key}_aggregate { ${name} { ${field.name} } } }`)
        : null,
    ),
  ),
];

/** Where a field that a caller cannot write must not be. */
export const writePlaces: readonly FieldPlace[] = (
  ["create", "update", "upsert", "restore"] as const
).flatMap((operation) => {
  const question =
    (front: Front): FieldPlace["question"] =>
    (model, field, value, row) => {
      if (operation === "restore" && !model.softDelete) return null;
      const id = row?.id ?? (model.idType === "uuid" ? noUuid : "1");
      const ruled = operation === "upsert" ? "upsert of a new row" : operation;
      const write = { ruled, id, sent: { [field.name]: value } } as const;
      // The role is only of the selection, which these questions do not reach.
      return front === "rest" ? restWrite(model, write) : graphqlWrite(model, { role: "" }, write);
    };
  return [rest(operation, "data", question("rest")), graphql(operation, "input", question("graphql"))];
});

function typeOf({ kind }: FieldDefinition): string {
  return fieldKinds[elementKindOf(kind) ?? kind].graphql.filter ?? "JSON";
}

/** A field for a selection, so that only the asked place names the closed one. */
function otherThan(model: ModelDefinition, field: FieldDefinition): string {
  return field.name === "id" ? (model.fields[0]?.name ?? "created_at") : "id";
}

/** The fields of a model, and its time columns. Gates of `id` are asked by every other question. */
export function fieldsAsked(model: ModelDefinition): readonly FieldDefinition[] {
  const [any] = model.fields;
  if (any === undefined) return [];
  const times = model.access.fields.filter(({ field }) => ["created_at", "updated_at"].includes(field));
  const column = {
    description: null,
    renamedFrom: null,
    required: false,
    nullable: false,
    enum: null,
    searchable: false,
    maxLength: null,
    minLength: null,
    minimum: null,
    maximum: null,
    pattern: null,
    decimal: null,
    items: null,
    foreignKey: null,
    dbType: null,
    generated: false,
    sqlDefault: false,
    outOfRange: null,
  } as const;
  return [
    ...model.fields,
    ...times.map(
      ({ field }): FieldDefinition => ({ ...column, name: field, column: field, kind: "datetime" }),
    ),
  ];
}

/** A valid value that no row has, where the kind has such values. */
export function sampleOf({ name, kind, enum: values, items }: FieldDefinition): Json {
  const [first] = values ?? [];
  const value = first ?? samples[elementKindOf(kind) ?? kind] ?? `no-${name}`;
  return items === null ? value : [value];
}

const samples: Readonly<Record<string, Json>> = {
  ...{ integer: 987_654, bigint: 987_654, int64: "987654", float: 0.625, decimal: "1", boolean: false },
  ...{ datetime: "2001-02-03T04:05:06Z", date: "2001-02-03", time: "04:05:06", json: { none: true } },
  ...{ uuid: noUuid, email: "none@example.com" },
};
