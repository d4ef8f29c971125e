import type { CheckCondition } from "../../../vocabulary/conditions/check-tree.ts";
import { any, type Compared, outcomesOf, unknown } from "./outcomes.ts";

/** Whether rows in which some columns are NULL may break the condition of a check; what is unknown passes. */
export function mayFail(condition: CheckCondition, isNull: (column: string) => boolean): boolean {
  const compared = ({ left, right }: Compared) => {
    const fields = [left, typeof right === "object" && "field" in right ? right.field : null];
    return fields.some((field) => typeof field === "string" && isNull(field)) ? unknown : any;
  };
  return outcomesOf(condition, { compared, hasRow: false, isNull }).fails;
}
