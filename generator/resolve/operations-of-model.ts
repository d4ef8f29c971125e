import { isFallback, modelOperations, type Operation, operations } from "../../vocabulary/operations.ts";
import type { RawModel } from "../load/raw.ts";

/** The operations that have the rules of `$all`. Operations that follow others have them through these. */
export function operationsOfAll(model: RawModel): readonly Operation[] {
  return modelOperations(model).filter(
    (operation) =>
      !model.access.operations.has(operation) && (operation === "search" || !isFallback(operation)),
  );
}

/** The operations that the key `mcp` of a model names, in the order of all operations. */
export function exposedOperations({ mcp, fields }: RawModel): readonly Operation[] {
  if (mcp === null) return [];
  const named = mcp.operations?.map(({ value }) => value) ?? [
    ...["fetch", "count"],
    ...(fields.some(({ searchable }) => searchable) ? ["search"] : []),
  ];
  return operations.filter((operation) => named.includes(operation));
}
