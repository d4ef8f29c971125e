import type { CheckCondition } from "../../../vocabulary/conditions/check-tree.ts";
import { typeOfKind } from "../../../vocabulary/fields/field-kinds.ts";
import type { ListBounds } from "../../../vocabulary/fields/field-schema.ts";
import { presetText } from "../../../vocabulary/fields/presets.ts";
import { type SharedTypes, sharedTypes } from "../../../vocabulary/graphql/names.ts";
import { type CreatingOperation, creatingOperations } from "../../../vocabulary/hook-names.ts";
import type { Json } from "../../../vocabulary/json.ts";
import { operations as allOperations } from "../../../vocabulary/operations.ts";
import type {
  FieldDefinition,
  ForeignKeyDefinition,
  ModelDefinition,
  ServiceDefinition,
} from "../../definition/definition.ts";
import { isCondition } from "../../migrations/snapshot-shape.ts";
import { asStored, parsedJson } from "../../output/lock-file.ts";
import { escapeInvisible } from "../literal.ts";
import { joinsOf, type ModelsByKey } from "./graphql/row-types.ts";

/** A field as callers see it. Absent properties do not apply. */
export interface ApiField {
  readonly type: string;
  /** Required in a new row. */
  readonly required?: true;
  /** Operations whose before-hook fills it in, so callers can omit it. */
  readonly filled?: readonly CreatingOperation[];
  readonly nullable?: true;
  /** The value of a new row if the caller omits it. */
  readonly default?: Json;
  /** The value that the server sets if the caller omits it, as models spell it. */
  readonly preset?: string;
  readonly enum?: readonly (string | number)[];
  readonly min_length?: number;
  readonly max_length?: number;
  readonly minimum?: number | string;
  readonly maximum?: number | string;
  readonly pattern?: string;
  /** For decimals and lists of decimals. */
  readonly precision?: number;
  readonly scale?: number;
  /** For lists. Their enum, bounds, lengths and pattern apply to the elements. */
  readonly min_items?: number;
  readonly max_items?: number;
  readonly unique_items?: true;
  /** The model and the field that it refers to. */
  readonly references?: string;
  /** The effect on this row when the referenced row is removed. */
  readonly on_delete?: ForeignKeyDefinition["onDelete"];
  readonly searchable?: true;
  readonly read?: "nobody";
  readonly write?: "nobody";
}

/** A model as GraphQL callers see it, in addition to its key. */
export interface ApiGraphql {
  /** Name in mutations and types. */
  readonly name: string;
  /** Names of the relations that a role can select. */
  readonly joins: readonly string[];
  /** Absent in files of earlier versions, which had no shared types. */
  readonly types?: SharedTypes;
}

/** A public model as callers see it. */
export interface ApiModel {
  readonly path: string;
  readonly soft_delete: boolean;
  readonly max_limit: number;
  /** Operations that are open to a role. */
  readonly operations: readonly string[];
  /** Operations with a before-hook that does not declare which fields it fills in; absent if there are none. */
  readonly may_fill?: readonly CreatingOperation[];
  readonly unique: readonly (readonly string[])[];
  /** Conditions of the checks by name; absent if there are none. */
  readonly checks?: Readonly<Record<string, CheckCondition>>;
  /** Absent in files of earlier versions. */
  readonly graphql?: ApiGraphql;
  readonly fields: Readonly<Record<string, ApiField>>;
}

/** The API as callers see it, the content of `api-surface.json`. */
export interface ApiSurface {
  /** Public models, by key. */
  readonly models: Readonly<Record<string, ApiModel>>;
  /** Statuses of custom errors, by code. */
  readonly errors: Readonly<Record<string, number>>;
  /** The roles of custom routes, by method and path. */
  readonly routes: Readonly<Record<string, readonly string[]>>;
}

/** The API before the first run. */
export const emptySurface: ApiSurface = { models: {}, errors: {}, routes: {} };

/** The API surface of a service. */
export function apiSurface({ models, servicePrefix, errors, routes }: ServiceDefinition): ApiSurface {
  const open = models.filter(({ internal }) => !internal);
  const byKey = new Map(models.map((model) => [model.key, model]));
  return {
    models: Object.fromEntries(open.map((model) => [model.key, apiModel(model, servicePrefix, byKey)])),
    errors: Object.fromEntries(errors.map(({ code, status }) => [code, status])),
    routes: Object.fromEntries(
      routes.map(({ method, path, access }) => [`${method} ${servicePrefix}${path}`, [...access].sort()]),
    ),
  };
}

function apiModel(model: ModelDefinition, prefix: string, models: ModelsByKey): ApiModel {
  const { operations, upsert } = model.access;
  const rules = { ...operations, upsert: [...upsert.insert, ...upsert.update] };
  return {
    path: `${prefix}/${model.slug}`,
    soft_delete: model.softDelete,
    max_limit: model.maxLimit,
    operations: allOperations.filter((name) => rules[name].length > 0),
    ...possiblyFilled(model),
    unique: model.uniqueKeys.map(({ fields }) => fields),
    ...checksOf(model),
    graphql: {
      name: model.typeName,
      joins: joinsOf(model, models).map(({ relation }) => relation.name),
      types: sharedTypes(model),
    },
    fields: Object.fromEntries([
      ["id", apiField(model, { name: "id", type: model.idType })],
      ...model.fields.map((field) => [field.name, apiField(model, { name: field.name, field })]),
      ...["created_at", "updated_at", ...(model.softDelete ? ["deleted_at"] : [])].map((name) => {
        const nullable = name === "deleted_at" ? ({ nullable: true } as const) : {};
        return [name, { ...apiField(model, { name, type: "datetime" }), ...nullable }];
      }),
    ]),
  };
}

function possiblyFilled({ filled }: ModelDefinition): Pick<ApiModel, "may_fill"> {
  const unsaid = creatingOperations.filter((operation) => filled[operation] === null);
  return unsaid.length === 0 ? {} : { may_fill: unsaid };
}

function checksOf({ checks }: ModelDefinition): Pick<ApiModel, "checks"> {
  if (checks.length === 0) return {};
  return { checks: Object.fromEntries(checks.map(({ name, condition }) => [name, asStored(condition)])) };
}

/** A field of the model, or a runtime column, which callers cannot write. */
function apiField(
  { access, filled }: ModelDefinition,
  { name, field, type = "" }: { name: string; field?: FieldDefinition; type?: string },
): ApiField {
  const gate = access.fields.find((entry) => entry.field === name);
  const unread = gate?.read?.length === 0 || field?.kind === "password";
  const unwritten = gate?.write?.length === 0 || field === undefined;
  return {
    type: field === undefined ? type : typeOfKind(field.kind),
    ...(field?.required === true ? { required: true, ...filledBy(filled, name) } : {}),
    ...(field === undefined ? {} : fieldRequirements(field)),
    ...(unread ? { read: "nobody" } : {}),
    ...(unwritten ? { write: "nobody" } : {}),
  };
}

function filledBy(filled: ModelDefinition["filled"], name: string): Pick<ApiField, "filled"> {
  const operations = creatingOperations.filter((operation) => filled[operation]?.includes(name));
  return operations.length === 0 ? {} : { filled: operations };
}

function fieldRequirements(field: FieldDefinition): Partial<ApiField> {
  return {
    ...(field.nullable ? { nullable: true } : {}),
    ...(field.default === undefined ? {} : { default: asStored(field.default) }),
    ...(field.preset === undefined ? {} : { preset: presetText(field.preset.value) }),
    ...(field.enum === null ? {} : { enum: asStored(field.enum) }),
    ...(field.minLength === null ? {} : { min_length: field.minLength }),
    ...(field.maxLength === null ? {} : { max_length: field.maxLength }),
    ...(field.minimum === null ? {} : { minimum: field.minimum }),
    ...(field.maximum === null ? {} : { maximum: field.maximum }),
    ...(field.pattern === null ? {} : { pattern: field.pattern }),
    ...(field.decimal ?? {}),
    ...(field.items === null ? {} : listRequirements(field.items)),
    ...(field.foreignKey === null
      ? {}
      : {
          references: `${field.foreignKey.model}.${field.foreignKey.column}`,
          on_delete: field.foreignKey.onDelete,
        }),
    ...(field.searchable ? { searchable: true } : {}),
  };
}

function listRequirements({ least, most, unique }: ListBounds): Partial<ApiField> {
  return {
    ...(least === null ? {} : { min_items: least }),
    max_items: most,
    ...(unique ? { unique_items: true } : {}),
  };
}

/** The key of errors among the models in the file. No model can have such a key. */
const errorsKey = "$errors";
const routesKey = "$routes";

/** Prints a surface with one line per field. */
export function printSurface({ models, errors, routes }: ApiSurface): string {
  const parts = Object.entries(models).map(([key, { fields, ...rest }]) => {
    const facts = Object.entries(rest).map(([name, value]) => `    ${line(name, value)}`);
    const lines = Object.entries(fields).map(([name, field]) => `      ${line(name, field)}`);
    return `  ${JSON.stringify(key)}: {\n${[...facts, `    "fields": {\n${lines.join(",\n")}\n    }`].join(",\n")}\n  }`;
  });
  if (Object.keys(errors).length > 0) parts.push(`  ${line(errorsKey, errors)}`);
  if (Object.keys(routes).length > 0) {
    const lines = Object.entries(routes).map(([route, roles]) => `    ${line(route, roles)}`);
    parts.push(`  ${JSON.stringify(routesKey)}: {\n${lines.join(",\n")}\n  }`);
  }
  return parts.length === 0 ? "{}\n" : `{\n${parts.join(",\n")}\n}\n`;
}

function line(name: string, value: unknown): string {
  return `${JSON.stringify(name)}: ${escapeInvisible(JSON.stringify(value))}`;
}

/** Parses `api-surface.json`; null if it is missing or invalid. */
export function parseSurface(text: string | null): ApiSurface | null {
  const data = text === null ? null : parsedJson(text);
  if (!isRecord(data)) return null;
  const { [errorsKey]: errors = {}, [routesKey]: routes = {}, ...models } = data;
  const isKnown = isRecordOf(models, isModel) && isRecordOf(errors, isStatus) && isRecordOf(routes, isTexts);
  return isKnown ? { models, errors, routes } : null;
}

function isTexts(data: unknown): data is readonly string[] {
  return Array.isArray(data) && data.every((one) => typeof one === "string");
}

function isStatus(data: unknown): data is number {
  return typeof data === "number";
}

/** A shallow check, because Kirak wrote the file: it only prevents a crash. */
function isModel(data: unknown): data is ApiModel {
  if (!isRecord(data) || !isRecord(data["fields"])) return false;
  const { operations, unique, fields, graphql, checks = {} } = data;
  const lists = [operations, unique].every(Array.isArray) && Object(unique).every(Array.isArray);
  const named = graphql === undefined || (isRecord(graphql) && Array.isArray(graphql["joins"]));
  const typed = !isRecord(graphql) || graphql["types"] === undefined || isRecord(graphql["types"]);
  return (
    lists &&
    named &&
    isRecord(checks) &&
    Object.values(checks).every(isCondition) &&
    typed &&
    Object.values(fields).every((field) => isRecord(field) && typeof field["type"] === "string")
  );
}

function isRecordOf<Value>(
  data: unknown,
  isValue: (value: unknown) => value is Value,
): data is Readonly<Record<string, Value>> {
  return isRecord(data) && Object.values(data).every(isValue);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
