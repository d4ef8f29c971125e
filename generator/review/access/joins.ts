import type { Matrix, ModelAccess, Reach } from "./access-matrix.ts";
import type { ModelPair } from "./model-pairs.ts";

/** A former matrix in which the relations that lead to internal models have the names that they have after. */
export function withNewJoins(matrix: Matrix, pairs: Iterable<ModelPair>): Matrix {
  const former = new Map([...pairs].map((pair) => [pair.before.key, pair]));
  const nameOf = (relation: string) => {
    const [key = "", field = ""] = relation.split(".");
    const pair = former.get(key);
    return pair === undefined ? relation : `${pair.after.key}.${pair.before.nameOf(field)}`;
  };
  return new Map(
    [...matrix].map(([key, access]): [string, ModelAccess] => {
      const joins = access.operations.get("join");
      if (joins === undefined) return [key, access];
      const named = new Map([...joins].map(([name, reach]): [string, Reach] => [nameOf(name), reach]));
      return [key, { ...access, operations: new Map([...access.operations, ["join", named]]) }];
    }),
  );
}
