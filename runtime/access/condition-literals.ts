import type { Comparison, Condition, Operand } from "../../vocabulary/conditions.ts";

/** Claims of the caller's credential. All are NULL or `guest` for a guest. */
export const caller = {
  user_id: { placeholder: "user_id" },
  role: { placeholder: "role" },
  email: { placeholder: "email" },
} as const;

/** The time of the statement. */
export const now = { placeholder: "now" } as const;

function comparison(op: Comparison) {
  return <const Field extends string>(field: Field, value: Operand): Condition<Field> => ({
    op,
    field,
    value,
  });
}

export const eq = comparison("eq");
export const ne = comparison("ne");
export const lt = comparison("lt");
export const lte = comparison("lte");
export const gt = comparison("gt");
export const gte = comparison("gte");
export const like = comparison("like");
export const ilike = comparison("ilike");

export const isIn = <const F extends string>(field: F, values: readonly Operand[]): Condition<F> => ({
  op: "in",
  field,
  values,
});

export const notIn = <const F extends string>(field: F, values: readonly Operand[]): Condition<F> => ({
  op: "not_in",
  field,
  values,
});

export const between = <const F extends string>(field: F, from: Operand, to: Operand): Condition<F> => ({
  op: "between",
  field,
  from,
  to,
});

export const isNull = <const F extends string>(field: F): Condition<F> => ({ op: "is_null", field });
export const isNotNull = <const F extends string>(field: F): Condition<F> => ({ op: "is_not_null", field });

export const and = <const F extends string>(...conditions: readonly Condition<F>[]): Condition<F> => ({
  op: "and",
  conditions,
});

export const or = <const F extends string>(...conditions: readonly Condition<F>[]): Condition<F> => ({
  op: "or",
  conditions,
});

export const not = <const F extends string>(condition: Condition<F>): Condition<F> => ({
  op: "not",
  condition,
});
