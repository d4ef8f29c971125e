import { isFallback, modelOperations, type Operation } from "../../vocabulary/operations.ts";
import type { RawModel } from "../load/raw.ts";

/** The operations that have the rules of `$all`. Operations that follow others have them through these. */
export function operationsOfAll(model: RawModel): readonly Operation[] {
  return modelOperations(model).filter(
    (operation) =>
      !model.access.operations.has(operation) && (operation === "search" || !isFallback(operation)),
  );
}
