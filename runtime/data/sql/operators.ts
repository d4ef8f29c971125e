import { fieldKinds } from "../../../vocabulary/fields/field-kinds.ts";
import { type Operator, operatorsFor } from "../../../vocabulary/fields/filter-operators.ts";
import type { Column } from "../../models/index.ts";

/** The operators that fit a column: text takes LIKE, numbers and dates are compared, enums are not (decisions, part 5). */
export function operatorsOf(column: Column): ReadonlySet<Operator> {
  const { compared } = fieldKinds[column.kind];
  return operatorsFor[column.enum === null || compared === "as list" ? compared : "for equality"];
}
