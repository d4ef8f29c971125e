import type {
  CallerColumn,
  Comparison,
  Condition,
  Moment,
  Operand,
  OtherField,
  Subject,
  TimeUnit,
  Value,
} from "../../vocabulary/conditions.ts";

/** Claims of the caller's credential. All are NULL or `guest` for a guest. */
export const caller = {
  user_id: { placeholder: "user_id" },
  role: { placeholder: "role" },
  email: { placeholder: "email" },
} as const;

/** A column of the caller's row in `users`; NULL for a guest. */
export const callerColumn = <const Column extends string>(user: Column): CallerColumn<Column> => ({ user });

/** Another field, to compare one with. */
export const field = <const Field extends string>(name: Field): OtherField<Field> => ({ field: name });

/** The time of the statement. */
export const now = { placeholder: "now" } as const;

/** A while before the statement: `ago(15, "minute")`. */
export const ago = (amount: number, unit: TimeUnit): Moment => ({
  ...now,
  offset: { amount: -amount, unit },
});

/** A while after the statement: `fromNow(2, "day")`. */
export const fromNow = (amount: number, unit: TimeUnit): Moment => ({ ...now, offset: { amount, unit } });

function comparison(op: Comparison) {
  return <const Field extends string>(subject: Subject<Field>, value: Operand<Field>): Condition<Field> => ({
    op,
    field: subject,
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

export const isIn = <const F extends string>(
  subject: Subject<F>,
  values: readonly Value[],
): Condition<F> => ({
  op: "in",
  field: subject,
  values,
});

export const notIn = <const F extends string>(
  subject: Subject<F>,
  values: readonly Value[],
): Condition<F> => ({ op: "not_in", field: subject, values });

export const between = <const F extends string>(
  subject: Subject<F>,
  from: Value,
  to: Value,
): Condition<F> => ({ op: "between", field: subject, from, to });

export const isNull = <const F extends string>(subject: Subject<F>): Condition<F> => ({
  op: "is_null",
  field: subject,
});

export const isNotNull = <const F extends string>(subject: Subject<F>): Condition<F> => ({
  op: "is_not_null",
  field: subject,
});

/** Whether the path leads to a row that fulfils the condition. */
export const exists = (path: string, where: Condition | null = null): Condition<never> => ({
  op: "exists",
  path,
  where,
});

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
