import type {
  CallerColumn,
  Comparison,
  Condition,
  Moment,
  OtherField,
  Subject,
  TimeUnit,
  Value,
} from "../../../vocabulary/conditions.ts";
import type { FieldKind, ListKind } from "../../../vocabulary/field-kinds.ts";
import type { Model } from "../index.ts";

/** A field of the model or a runtime column. */
export type OwnField<M extends Model> =
  | (keyof M["fields"] & string)
  | "id"
  | "created_at"
  | "updated_at"
  | "deleted_at";

/** Models by their keys: those that rules go over, and `users` where they use columns of the caller. */
export type ModelsOnTheWay<Way> = { readonly [Key in keyof Way]: Model };

/**
 * What the names in a condition stand for: fields and relations of the model at hand, in EXISTS the one at its path's end. Within
 * EXISTS `this` is the model whose rule it is.
 */
interface ConditionScope<M extends Model, Way, This extends Model | null = null> {
  readonly model: M;
  readonly way: Way;
  readonly this: This;
}

type AnyScope = ConditionScope<Model, unknown, Model | null>;

declare const scope: unique symbol;

interface In<S> {
  readonly [scope]?: (scope: S) => S;
}

/**
 * A condition that was checked in its scope. The builders find the scope in what is expected where they stand, so that the compiler
 * points at the very name that is not there. A condition that was built elsewhere belongs to no scope and fits none.
 */
type RowCondition<S> = Condition & In<S>;

/** In place of the scope of a condition that stands in none. */
type NoScope = "built outside of definePolicy";

/** What may stand in the rules of a model. Of one whose fields are not known here, any condition. */
export type RowConditionOf<M extends Model, Way> = Model extends M
  ? Condition
  : RowCondition<ConditionScope<M, Way>>;

/** A column of the caller that was looked up. */
interface CallerColumnIn<Column extends string, S> extends CallerColumn<Column>, In<S> {}

/** Another field that was looked up. */
interface OtherFieldIn<S> extends OtherField, In<S> {}

/** What stands on the right of a list or a range. */
type ValueIn<S> = Exclude<Value, CallerColumn> | CallerColumnIn<string, S>;

/** What stands on the right of a comparison. */
type OperandIn<S> = ValueIn<S> | OtherFieldIn<S>;

/** What a comparison is about where it stands for something, else what is wrong with it. The first question is for the compiler's speed. */
type CheckedSubject<Name extends Subject, S> = Name extends OwnColumns<S> ? Name : CheckedElsewhere<Name, S>;

type CheckedElsewhere<Name extends Subject, S> = Checked<
  Name,
  Name extends string
    ? FieldProblem<Name, S>
    : Name extends CallerColumn<infer Column>
      ? CallerProblem<Column, S>
      : never
>;

/** The same of a list. */
type CheckedList<Name extends Subject, S> = Checked<
  Name,
  Name extends string
    ? FieldProblem<Name, S, ListKind>
    : Name extends CallerColumn<infer Column>
      ? CallerProblem<Column, S, ListKind>
      : never
>;

/** A field or path on the right where it stands for something, else what is wrong with it. */
type CheckedField<Name extends string, S> = Checked<Name, FieldProblem<Name, S>>;

/** A column of the caller where it is there, else what is wrong with it. */
type CheckedColumn<Column extends string, S> = Checked<Column, CallerProblem<Column, S>>;

/** The path of an EXISTS where it leads to a model, else what is wrong with it. */
type CheckedPath<Path extends string, S> = Checked<
  Path,
  S extends AnyScope ? Exclude<PathEnd<Path, S>, Model> : never
>;

/** The scope of the condition in an EXISTS. */
type ScopeWithin<Path extends string, S> = S extends AnyScope
  ? ConditionScope<Extract<PathEnd<Path, S>, Model>, S["way"], This<S>>
  : never;

type Checked<Value, Problem> = [Problem] extends [never] ? Value : Problem & string;

type This<S extends AnyScope> = S["this"] extends Model ? S["this"] : S["model"];

/** What conditions compare. Without a scope nobody knows. */
type OwnColumns<S> = S extends AnyScope ? Comparable<S["model"]> : string;

type Comparable<M extends Model> =
  | Exclude<OwnField<M>, keyof M["fields"]>
  | {
      readonly [Name in keyof M["fields"]]: M["fields"][Name]["kind"] extends "password" ? never : Name;
    }[keyof M["fields"]];

type CallerProblem<Column extends string, S, Wanted = FieldKind> = S extends AnyScope
  ? ColumnProblem<Column, ModelOf<"users", S>, Wanted>
  : never;

type FieldProblem<Name extends string, S, Wanted = FieldKind> = S extends AnyScope
  ? S["this"] extends Model
    ? Name extends `this.${infer Rest}`
      ? ColumnAt<Rest, S["this"], S, Wanted>
      : ColumnAt<Name, S["model"], S, Wanted>
    : ColumnAt<Name, S["model"], S, Wanted>
  : never;

/** What is wrong with a path that ends in a column. */
type ColumnAt<Path extends string, M, S extends AnyScope, Wanted> = M extends Model
  ? Path extends `${infer Name}.${infer Rest}`
    ? ColumnAt<Rest, OneRow<Name, M, S>, S, Wanted>
    : ColumnProblem<Path, M, Wanted>
  : M;

type ColumnProblem<Name extends string, M, Wanted> = M extends Model
  ? Name extends Comparable<M>
    ? KindOf<Name, M> extends Wanted
      ? never
      : `${Name} of ${M["key"]} is no list`
    : Name extends keyof M["fields"]
      ? `${Name} of ${M["key"]} is a password`
      : `${M["key"]} has no field ${Name}`
  : M;

/** Runtime columns are no lists. */
type KindOf<Name extends string, M extends Model> = Name extends keyof M["fields"]
  ? M["fields"][Name]["kind"]
  : Exclude<FieldKind, ListKind>;

/** The model of a relation that leads to one row at most. */
type OneRow<
  Name extends string,
  M extends Model,
  S extends AnyScope,
> = M["relations"][Name]["kind"] extends "has_many"
  ? `${Name} of ${M["key"]} has many rows, which EXISTS asks for`
  : Joined<Name, M, S>;

type PathEnd<Path extends string, S extends AnyScope> = S["this"] extends Model
  ? Path extends `this.${infer Rest}`
    ? RowsAt<Rest, S["this"], S>
    : RowsAt<Path, S["model"], S>
  : RowsAt<Path, S["model"], S>;

/** The model at the end of a path of relations of any kind, or what is wrong with the path. */
type RowsAt<Path extends string, M, S extends AnyScope> = M extends Model
  ? Path extends `${infer Name}.${infer Rest}`
    ? RowsAt<Rest, Joined<Name, M, S>, S>
    : Joined<Path, M, S>
  : M;

type Joined<Name extends string, M extends Model, S extends AnyScope> = Name extends keyof M["relations"]
  ? ModelOf<M["relations"][Name]["model"], S>
  : `${M["key"]} has no relation ${Name}`;

type ModelOf<Key extends string, S extends AnyScope> = Key extends This<S>["key"]
  ? This<S>
  : Key extends keyof S["way"]
    ? S["way"][Key]
    : `${Key} is not among the models on the way`;

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
