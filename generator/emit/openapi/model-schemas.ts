import { everyRole } from "../../../vocabulary/accounts/role-names.ts";
import { presetPhrase } from "../../../vocabulary/fields/presets.ts";
import { type CreatingOperation, creatingOperations } from "../../../vocabulary/hook-names.ts";
import {
  type DocumentSchema,
  type Entries,
  type Part,
  reference,
} from "../../../vocabulary/openapi/document.ts";
import type { Operation } from "../../../vocabulary/operations.ts";
import type { FieldDefinition, ModelDefinition } from "../../definition/definition.ts";
import { idConstraints, keyField } from "../../definition/stored.ts";
import { joinsOf, type ModelsByKey } from "../views/graphql/row-types.ts";
import { readableColumns, type SchemaColumn, writableColumns } from "../views/graphql/schema-columns.ts";
import { declared, type filterMaker, valueSchema } from "./field-schemas.ts";
import { list, object } from "./operation.ts";

/** A model, the name of its components, and its operations that a role reaches. */
export interface DocumentedModel {
  readonly model: ModelDefinition;
  readonly name: string;
  readonly operations: readonly Operation[];
}

/** The schemas of a model's rows, bodies and filters. */
export function modelSchemas(
  { model, name, operations }: DocumentedModel,
  models: ModelsByKey,
  filters: ReturnType<typeof filterMaker>,
): Entries<DocumentSchema> {
  const columns = readableColumns(model);
  const has = (...any: readonly Operation[]) => any.some((operation) => operations.includes(operation));
  const writable = writableColumns(model).flatMap(({ field }) => (field === null ? [] : [field]));
  const id = idSchema(model);
  const body = (
    required: readonly string[],
    more: Part = {},
    needed: readonly string[] = [],
  ): DocumentSchema => bodySchema(`${name}Input`, [...needed, ...required], more);
  const takesId = model.idSent || model.idType === "uuid";
  const key = keyField(model);
  const needed = model.idSent ? ["id"] : [];
  return {
    [`${name}Part`]: partSchema(model, columns, models),
    [name]: rowSchema(name, model, columns),
    ...(has("create", "update", "upsert", "restore") && { [`${name}Input`]: inputSchema(model, writable) }),
    ...(has("create") && {
      [`${name}Create`]: body(requiredIn(model, writable, "create"), takesId ? { id } : {}, needed),
    }),
    ...(has("update") && { [`${name}Update`]: body([], key === null ? {} : { [key.name]: false }) }),
    ...(has("upsert") && {
      [`${name}Upsert`]: body(requiredIn(model, writable, "upsert"), key === null ? { id } : {}, needed),
    }),
    ...(has("restore") && { [`${name}Restore`]: body([], { deleted_at: { type: "null" } }, ["deleted_at"]) }),
    ...(has("delete", "destroy") && { [`${name}Removal`]: removalSchema(model, name) }),
    [`${name}Filter`]: filterSchema(columns, filters),
    [`${name}Field`]: { enum: columns.map((column) => column.name) },
  };
}

/** The schema of a model's ids. */
export function idSchema(model: Pick<ModelDefinition, "idType" | "columns">): Part {
  return valueSchema(idConstraints(model), "answer");
}

/** Filters of a body, of which one must be there. */
export function someFilters(name: string): Part {
  return { ...reference("schemas", `${name}Filter`), minProperties: 1 };
}

/** The body of `delete` and `destroy`. */
function removalSchema(model: ModelDefinition, name: string): DocumentSchema {
  const where = someFilters(name);
  return { anyOf: [object({ query: where }), object({ where }), object({ ids: list(idSchema(model)) })] };
}

function partSchema(
  model: ModelDefinition,
  columns: readonly SchemaColumn[],
  models: ModelsByKey,
): DocumentSchema {
  const properties = columns.map((column) => [column.name, answerSchema(model, column)] as const);
  return {
    type: "object",
    ...declared({ description: model.description }),
    "x-kirak-model": modelFacts(model, models),
    properties: Object.fromEntries(properties),
  };
}

function modelFacts(model: ModelDefinition, models: ModelsByKey): Part {
  const { key, softDelete, maxLimit, uniqueKeys, checks, typeName } = model;
  return {
    key,
    soft_delete: softDelete,
    max_limit: maxLimit,
    unique: uniqueKeys.map(({ fields }) => fields),
    ...(checks.length > 0 && { checks: Object.fromEntries(checks.map(({ name, text }) => [name, text])) }),
    graphql: { name: typeName, joins: joinsOf(model, models).map(({ relation }) => relation.name) },
  };
}

function answerSchema(model: ModelDefinition, column: SchemaColumn): Part {
  const { name, kind, nullable, field } = column;
  const constraints = field ?? (name === "id" ? idConstraints(model) : { kind });
  return {
    ...valueSchema({ ...constraints, nullable }, "answer"),
    ...declared({ description: field?.description }),
    ...gate("x-kirak-read", model, name),
    ...annotations(
      field === null
        ? {}
        : {
            ...(isWritable(model, name) ? {} : presetOf(field)),
            ...size(field),
            ...relation(field),
            ...search(field),
          },
    ),
  };
}

/** All fields without a read gate are in each row. */
function rowSchema(name: string, model: ModelDefinition, columns: readonly SchemaColumn[]): DocumentSchema {
  const required = columns
    .filter((column) => gateOf(model, column.name, "read") === null)
    .map((column) => column.name);
  return {
    type: "object",
    allOf: [reference("schemas", `${name}Part`)],
    ...namesOf(required),
  };
}

/** `required`, and each name again under `properties`: some generators of clients read only those. */
function namesOf(required: readonly string[], more: Part = {}): Part {
  return {
    ...(required.length > 0 && { required }),
    properties: { ...Object.fromEntries(required.map((name) => [name, true])), ...more },
  };
}

function bodySchema(input: string, required: readonly string[], more: Part): DocumentSchema {
  return {
    type: "object",
    allOf: [reference("schemas", input)],
    ...namesOf(required, more),
    unevaluatedProperties: false,
  };
}

function inputSchema(model: ModelDefinition, fields: readonly FieldDefinition[]): DocumentSchema {
  const readable = new Set(readableColumns(model).map(({ name }) => name));
  const properties = fields.map((field) => {
    const { name, kind } = field;
    const schema = {
      ...valueSchema(field, "input"),
      ...(readable.has(name) ? {} : declared({ description: field.description })),
      ...(kind === "password" && { writeOnly: true }),
      ...(field.default !== undefined && { default: field.default }),
      ...gate("x-kirak-write", model, name),
      ...annotations({
        ...presetOf(field),
        ...filled(model, name),
        ...size(field),
        ...(readable.has(name) ? {} : relation(field)),
      }),
    };
    return [name, schema] as const;
  });
  return { type: "object", properties: Object.fromEntries(properties) };
}

/** Fields that a new record must have. A hook that does not declare which fields it fills in can fill in any. */
function requiredIn(
  { filled: fills }: ModelDefinition,
  fields: readonly FieldDefinition[],
  operation: CreatingOperation,
): string[] {
  const filledIn = fills[operation];
  if (filledIn === null) return [];
  return fields.filter(({ name, required }) => required && !filledIn.includes(name)).map(({ name }) => name);
}

function filterSchema(
  columns: readonly SchemaColumn[],
  filters: ReturnType<typeof filterMaker>,
): DocumentSchema {
  const properties: Record<string, Part> = {};
  for (const { name, kind, dbType, field } of columns) {
    // Filters on `deleted_at` have no effect.
    if (name === "deleted_at") continue;
    for (const [operator, schema] of filters({ kind, dbType, enum: field?.enum ?? null }))
      properties[operator === "eq" ? name : `${name}__${operator}`] = schema;
  }
  return { type: "object", additionalProperties: false, properties };
}

/** The roles of a gate; null if all roles pass. */
function gateOf({ access }: ModelDefinition, name: string, of: "read" | "write"): readonly string[] | null {
  const roles = access.fields.find(({ field }) => field === name)?.[of] ?? null;
  return roles === null || roles.includes(everyRole) ? null : [...roles].sort();
}

function gate(key: "x-kirak-read" | "x-kirak-write", model: ModelDefinition, name: string): Part {
  return declared({ [key]: gateOf(model, name, key === "x-kirak-read" ? "read" : "write") });
}

function annotations(found: Part): Part {
  return Object.keys(found).length === 0 ? {} : { "x-kirak": found };
}

/** A field that no role writes has no property in a body. */
function isWritable({ access }: ModelDefinition, name: string): boolean {
  return access.fields.find(({ field }) => field === name)?.write?.length !== 0;
}

function presetOf({ preset }: FieldDefinition): Part {
  return preset === undefined ? {} : { preset: presetPhrase(preset) };
}

function size({ decimal }: FieldDefinition): Part {
  return decimal === null ? {} : { ...decimal };
}

function relation({ foreignKey }: FieldDefinition): Part {
  if (foreignKey === null) return {};
  return { references: `${foreignKey.model}.${foreignKey.column}`, on_delete: foreignKey.onDelete };
}

function search({ searchable }: FieldDefinition): Part {
  return searchable ? { searchable } : {};
}

function filled({ filled: fills }: ModelDefinition, name: string): Part {
  const operations = creatingOperations.filter((operation) => fills[operation]?.includes(name));
  return operations.length === 0 ? {} : { filled: operations };
}
