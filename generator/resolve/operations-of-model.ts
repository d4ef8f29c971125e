import { isFallback, type Operation, operations, readOperations } from "../../vocabulary/operations.ts";
import type { RawModel } from "../load/raw.ts";

/** The operations that a model has, internal or not. */
export function modelOperations({
  softDelete,
  readOnly,
}: Pick<RawModel, "softDelete" | "readOnly">): readonly Operation[] {
  const all: readonly Operation[] = readOnly ? readOperations : operations;
  return all.filter((operation) => operation !== "restore" || softDelete);
}

/** The operations that have the rules of `$all`. Operations that follow others have them through these. */
export function operationsOfAll(model: RawModel): readonly Operation[] {
  return modelOperations(model).filter(
    (operation) =>
      !model.access.operations.has(operation) && (operation === "search" || !isFallback(operation)),
  );
}
