import { classifyDatabaseError } from "../../../core/database/index.ts";
import { ServiceError } from "../../../core/errors/index.ts";
import type { Model } from "../../../models/index.ts";

/**
 * The error of a DELETE of an account: 409 `ACCOUNT_IN_USE` if rows forbid it. `details.relations` has the
 * relation that PostgreSQL names; it is empty for a table without a model. Returns other errors as they are.
 */
export function accountInUse(error: unknown, models: readonly Model[]): unknown {
  const found = classifyDatabaseError(error);
  if (found?.kind !== "referenced") return error;
  const model = models.find(({ table }) => table === found.table);
  const key = model?.foreignKeys.find(({ name }) => name === found.constraint);
  const relations = model === undefined || key === undefined ? [] : [{ model: model.key, field: key.field }];
  return new ServiceError("ACCOUNT_IN_USE", undefined, { relations }, { cause: error });
}
