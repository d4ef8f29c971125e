import { classifyDatabaseError, type DatabaseFailure } from "../database/index.ts";
import { invalid, notNow, ServiceError } from "../errors/index.ts";
import type { Model, ModelCheck } from "../model/index.ts";
import type { Models } from "../sql/index.ts";

/** What answers know a model's constraints by. */
type Constrained = Pick<Model, "uniqueKeys" | "foreignKeys" | "checks">;

/**
 * What a caller is told when a statement failed: 400 `VALIDATION_ERROR` with the field where it is known, for what the
 * data itself violates, 503 `HTTP_ERROR` for a database that is silent, else 500 `DATABASE_ERROR`. The database's own words
 * go to the log alone (decisions, part 5). The row that breaks a check may be one of another of the `models`, whose reference became
 * null with the row behind it.
 */
export function databaseProblem(error: unknown, model: Constrained, models?: Models): unknown {
  if (error instanceof ServiceError) return error;
  const found = classifyDatabaseError(error);
  if (found === null) return error;
  switch (found.kind) {
    case "unique":
      return conflict(keyFields(model, found.constraint));
    // A constraint of the app's own: the models do not know its fields.
    case "excluded":
      return conflict([]);
    case "foreign_key": {
      const own = model.foreignKeys.find((key) => key.name === found.constraint);
      const field = own?.field ?? found.column;
      return field === undefined ? stillReferenced() : withoutParent(field);
    }
    case "referenced":
      return stillReferenced();
    case "not_null":
      return onFields(found.column === undefined ? [] : [found.column], "is required");
    case "check":
      return brokenCheck(checkOf(found, model, models));
    case "invalid_value":
      return unfitValue();
    default:
      return (
        notNow(found.kind, error) ??
        new ServiceError("DATABASE_ERROR", undefined, undefined, { cause: error })
      );
  }
}

/** That the key of a field leads to no row. */
export function withoutParent(field: string): ServiceError {
  return onFields([field], "refers to a record that does not exist");
}

function conflict(fields: readonly string[]): ServiceError {
  return onFields(fields, "conflicts with an existing record");
}

function checkOf(
  found: DatabaseFailure,
  model: Constrained,
  models: Models = new Map(),
): ModelCheck | undefined {
  const written = [...models.values()].find(({ table }) => table === found.table) ?? model;
  return written.checks?.find(({ constraint }) => constraint === found.constraint);
}

function brokenCheck(check: ModelCheck | undefined): ServiceError {
  if (check === undefined) return unfitValue();
  const { name, field, message } = check;
  return new ServiceError("VALIDATION_ERROR", message, { field, check: name });
}

function unfitValue(): ServiceError {
  return new ServiceError("VALIDATION_ERROR", "A value does not fit its field.");
}

function stillReferenced(): ServiceError {
  return new ServiceError("VALIDATION_ERROR", "Other records still refer to this one.");
}

function keyFields(model: Pick<Model, "uniqueKeys">, constraint: string | undefined): readonly string[] {
  if (constraint?.endsWith("_pkey")) return ["id"];
  return model.uniqueKeys.find((key) => key.name === constraint)?.fields ?? [];
}

function onFields([first, ...rest]: readonly string[], message: string): ServiceError {
  if (first === undefined) return new ServiceError("VALIDATION_ERROR", `The record ${message}.`);
  return invalid([
    { field: first, message: rest.length === 0 ? message : `together with ${rest.join(", ")} ${message}` },
  ]);
}
