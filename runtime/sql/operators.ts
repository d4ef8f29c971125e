import { fieldKinds } from "../../vocabulary/field-kinds.ts";
import { type Operator, operatorsFor } from "../../vocabulary/filter-operators.ts";
import type { Column } from "../model/index.ts";

/** The operators that fit a column: text takes LIKE, numbers and dates are compared, enums are not (decisions, part 5). */
export function operatorsOf(column: Column): ReadonlySet<Operator> {
  return operatorsFor[column.enum === null ? fieldKinds[column.kind].compared : "for equality"];
}
