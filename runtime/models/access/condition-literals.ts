import type {
  CallerColumn,
  Comparison,
  Moment,
  Subject,
  TimeUnit,
} from "../../../vocabulary/conditions/conditions.ts";
import type {
  CallerColumnIn,
  CheckedColumn,
  CheckedField,
  CheckedList,
  CheckedPath,
  CheckedSubject,
  NoScope,
  OperandIn,
  OtherFieldIn,
  RowCondition,
  ScopeWithin,
  ValueIn,
} from "./condition-types.ts";

/** Claims of the caller's credential. All are NULL or `guest` for a guest. */
export const caller = {
  user_id: { placeholder: "user_id" },
  role: { placeholder: "role" },
  email: { placeholder: "email" },
} as const;

/** A column of the caller's row in `users`; NULL for a guest. */
export function callerColumn<const Column extends string, S = NoScope>(
  user: CheckedColumn<Column, S>,
): CallerColumnIn<Column, S>;
export function callerColumn(user: string): CallerColumn {
  return { user };
}

/** Another field, to compare one with. */
export const field = <const Name extends string, S = NoScope>(
  name: CheckedField<Name, S>,
): OtherFieldIn<S> => ({ field: name });

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
  return <const Name extends Subject, S = NoScope>(
    subject: CheckedSubject<Name, S>,
    value: OperandIn<S>,
  ): RowCondition<S> => ({ op, field: subject, value });
}

export const eq = comparison("eq");
export const ne = comparison("ne");
export const lt = comparison("lt");
export const lte = comparison("lte");
export const gt = comparison("gt");
export const gte = comparison("gte");
export const like = comparison("like");
export const ilike = comparison("ilike");

function membership(op: "in" | "not_in") {
  return <const Name extends Subject, S = NoScope>(
    subject: CheckedSubject<Name, S>,
    values: readonly ValueIn<S>[],
  ): RowCondition<S> => ({ op, field: subject, values });
}

export const isIn = membership("in");
export const notIn = membership("not_in");

export const between = <const Name extends Subject, S = NoScope>(
  subject: CheckedSubject<Name, S>,
  from: ValueIn<S>,
  to: ValueIn<S>,
): RowCondition<S> => ({ op: "between", field: subject, from, to });

/** Whether a list has the value. */
export const contains = <const Name extends Subject, S = NoScope>(
  subject: CheckedList<Name, S>,
  value: ValueIn<S>,
): RowCondition<S> => ({ op: "contains", field: subject, value });

/** Whether a list has one of the values. */
export const overlaps = <const Name extends Subject, S = NoScope>(
  subject: CheckedList<Name, S>,
  values: readonly ValueIn<S>[],
): RowCondition<S> => ({ op: "overlaps", field: subject, values });

function nullity(op: "is_null" | "is_not_null") {
  return <const Name extends Subject, S = NoScope>(subject: CheckedSubject<Name, S>): RowCondition<S> => ({
    op,
    field: subject,
  });
}

export const isNull = nullity("is_null");
export const isNotNull = nullity("is_not_null");

/** Whether the path leads to a row that fulfils the condition. */
export const exists = <const Path extends string, S = NoScope>(
  path: CheckedPath<Path, S>,
  where: RowCondition<ScopeWithin<Path, S>> | null = null,
): RowCondition<S> => ({ op: "exists", path, where });

function junction(op: "and" | "or") {
  return <S = NoScope>(...conditions: readonly RowCondition<S>[]): RowCondition<S> => ({ op, conditions });
}

export const and = junction("and");
export const or = junction("or");

export const not = <S = NoScope>(condition: RowCondition<S>): RowCondition<S> => ({ op: "not", condition });
