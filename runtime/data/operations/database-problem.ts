import { classifyDatabaseError, type DatabaseFailure, unsupportedPlace } from "../../core/database/index.ts";
import {
  databaseUnavailable,
  invalid,
  refusedByDatabase,
  ServiceError,
  UnsupportedValue,
} from "../../core/errors/index.ts";
import { type Column, columnsOf, type Model, type ModelCheck } from "../../models/index.ts";
import type { Filter, Models } from "../sql/index.ts";

/** The filters and the search term of a caller, which can have patterns. */
export interface Sought {
  readonly filters: readonly Pick<Filter, "label" | "operator" | "column" | "value">[];
  readonly search_term?: string | null;
}

/**
 * The error response to a failed statement (docs/api.md#database-errors). 400 `VALIDATION_ERROR` for invalid
 * data, with the field if known; 503 `HTTP_ERROR` if the database does not respond; 500 `DATABASE_ERROR` for
 * others. The database's message is only logged, except those that the model answers. `model` is null for a
 * failed COMMIT, which names no field; `written` is then the model that it was for. A row that violates a check
 * can belong to another model of `models`, if its reference became null.
 */
export function databaseProblem(
  error: unknown,
  model: Model | null,
  models?: Models,
  sought?: Sought,
  written = model,
): unknown {
  if (error instanceof ServiceError) return error;
  const found = classifyDatabaseError(error);
  if (found === null) return error;
  const unheld = unsupportedPlace(error);
  if (unheld !== null) return new UnsupportedValue("a value out of range", unheld);
  const own = model !== null && (found.table === undefined || isTableOf(model, found)) ? model : null;
  switch (found.kind) {
    case "unique":
      return conflict(keyFields(own, found));
    // An exclusion constraint of custom SQL, whose fields are unknown here.
    case "excluded":
      return conflict([]);
    case "foreign_key":
      return missingParent(parentField(own, found));
    case "referenced":
      return new ServiceError("VALIDATION_ERROR", "Other records still refer to this one.");
    case "not_null":
      return onFields(fieldsOf(own, found.column), "is required");
    case "check":
      return brokenCheck(checkOf(found, model, models));
    case "invalid_value":
      return invalidValue(error);
    case "refused":
      return refusedByDatabase(error, written?.triggerMessages === true ? found.raised : undefined);
    case "unsupported":
      return unsupportedPattern(sought) ?? failed(error);
    default:
      return databaseUnavailable(found.kind, error) ?? failed(error);
  }
}

function failed(cause: unknown): ServiceError {
  return new ServiceError("DATABASE_ERROR", undefined, undefined, { cause });
}

/** PostgreSQL does not name the column, so with several patterns the field is unknown. */
function unsupportedPattern({ filters, search_term = null }: Sought = { filters: [] }): ServiceError | null {
  const names = filters
    .filter(({ operator }) => operator === "like" || operator === "ilike")
    .map(({ label }) => label);
  if (search_term !== null) names.push("search_term");
  const [first] = names;
  if (first === undefined) return null;
  const message = "does not work here: the collation of the column does not support patterns";
  return names.length === 1
    ? invalid([{ field: first, message }])
    : new ServiceError("VALIDATION_ERROR", `One of ${names.join(", ")} ${message}.`);
}

function parentField(model: Model | null, found: DatabaseFailure): string | undefined {
  if (model === null) return undefined;
  const own = model.foreignKeys.find((key) => key.name === found.constraint);
  return own?.field ?? found.field ?? (found.columns ?? []).flatMap((column) => fieldsOf(model, column))[0];
}

/** The field of a column; none if the column is not of the model. */
function fieldsOf(model: Model | null, column: string | undefined): string[] {
  const columns = model === null || column === undefined ? [] : [...columnsOf(model).values()];
  return columns.filter((each) => each.column === column).map(({ name }) => name);
}

function isTableOf({ schema, table }: Model, found: DatabaseFailure): boolean {
  return table === found.table && (schema === undefined || schema === found.schema);
}

/** The problem of a key that references no row. */
export function missingParent(field: string | undefined): ServiceError {
  return onFields(field === undefined ? [] : [field], "refers to a record that does not exist");
}

function conflict(fields: readonly string[]): ServiceError {
  return onFields(fields, "conflicts with an existing record");
}

function checkOf(
  found: DatabaseFailure,
  model: Model | null,
  models: Models = new Map(),
): ModelCheck | undefined {
  const written = [...models.values()].find((each) => isTableOf(each, found)) ?? model;
  return written?.checks?.find(({ constraint }) => constraint === found.constraint);
}

function brokenCheck(check: ModelCheck | undefined): ServiceError {
  if (check === undefined) return invalidValue();
  const { name, field, message } = check;
  return new ServiceError("VALIDATION_ERROR", message, { field, check: name });
}

function invalidValue(cause?: unknown): ServiceError {
  const message = "A value does not fit its field.";
  return new ServiceError("VALIDATION_ERROR", message, undefined, cause === undefined ? {} : { cause });
}

/** A value of a request, by the name of its field, or of its parameter. */
export type SentValue = readonly [name: string, column: Column | undefined, value: unknown];

/**
 * Names the field of a value that PostgreSQL could not read as the type of its column. Other problems are returned unchanged.
 * PostgreSQL does not name the column, but in every language its message has the type, and mostly the value.
 */
export function withInvalidField(problem: unknown, values: readonly SentValue[]): unknown {
  if (!(problem instanceof ServiceError) || problem.details !== undefined) return problem;
  const { code, cause } = problem;
  if (code !== "VALIDATION_ERROR" || !(cause instanceof Error)) return problem;
  const { message } = cause;
  const typed = values.filter(([, column, value]) => value != null && hasType(message, column));
  const [name] = typed.find(([, , value]) => message.includes(`"${value}"`)) ?? typed[0] ?? [];
  return name === undefined ? problem : invalid([{ field: name, message: "does not fit its column" }]);
}

function hasType(message: string, column: Column | undefined): boolean {
  const type = column?.dbType?.replace(/[([].*/, "") ?? "";
  return type !== "" && new RegExp(`\\b${type}\\b`, "i").test(message);
}

/** The values of a record. */
export function sentValues(model: Model, record: unknown): SentValue[] {
  const columns = columnsOf(model);
  return typeof record === "object" && record !== null
    ? Object.entries(record).map(([name, value]) => [name, columns.get(name), value])
    : [];
}

/** An index of a table as it is has any name. PostgreSQL does not tell the columns where policies hide rows. */
function keyFields(model: Model | null, { constraint, columns = [] }: DatabaseFailure): readonly string[] {
  if (model === null) return [];
  const key = model.uniqueKeys.find(({ name }) => name === constraint);
  if (key !== undefined) return key.fields;
  if (constraint?.endsWith("_pkey")) return ["id"];
  return columns.flatMap((column) => fieldsOf(model, column));
}

function onFields([first, ...rest]: readonly string[], message: string): ServiceError {
  if (first === undefined) return new ServiceError("VALIDATION_ERROR", `The record ${message}.`);
  return invalid([
    { field: first, message: rest.length === 0 ? message : `together with ${rest.join(", ")} ${message}` },
  ]);
}
