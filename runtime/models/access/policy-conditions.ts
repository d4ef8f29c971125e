import { conditionBehind } from "../../../vocabulary/conditions/behind.ts";
import type {
  CallerColumn,
  Comparison,
  Condition,
  Moment,
  OtherField,
  Subject,
  TimeUnit,
  Value,
} from "../../../vocabulary/conditions/conditions.ts";
import type { FieldKind } from "../../../vocabulary/fields/field-kinds.ts";
import type { ListKind } from "../../../vocabulary/fields/list-kinds.ts";
import type { RuntimeColumn } from "../../../vocabulary/fields/runtime-columns.ts";
import type { MissingColumns, Model } from "../index.ts";

/** A field of the model or a runtime column. */
export type OwnField<M extends Model> =
  | (keyof M["fields"] & string)
  | Exclude<RuntimeColumn, MissingColumns<M>>;

/** Models by key: those that rules reach, and `users` if rules use columns of the caller. */
export type ReachedModels<Way> = { readonly [Key in keyof Way]: Model };

/**
 * The models that names refer to: `model` is the current one, in EXISTS that at the end of its path; `this`
 * is the model of the rule, inside EXISTS.
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
 * A condition that was checked in its scope. The builders infer the scope from the expected type, so that the
 * compiler reports the wrong name. A condition that is built elsewhere fits nowhere.
 */
type RowCondition<S> = Condition & In<S>;

/** The scope of a condition outside a rule. */
type NoScope = "built outside of definePolicy";

/** Valid conditions for the rules of a model; any condition if its fields are unknown. */
export type RowConditionOf<M extends Model, Way> = Model extends M
  ? Condition
  : RowCondition<ConditionScope<M, Way>>;

interface CallerColumnIn<Column extends string, S> extends CallerColumn<Column>, In<S> {}

interface OtherFieldIn<S> extends OtherField, In<S> {}

/** The right side of a list or range. */
type ValueIn<S> = Exclude<Value, CallerColumn> | CallerColumnIn<string, S>;

/** The right side of a comparison. */
type OperandIn<S> = ValueIn<S> | OtherFieldIn<S>;

/**
 * The left side of a comparison if it exists, else an error message. The first test is for the speed of the
 * compiler.
 */
type CheckedSubject<Name extends Subject, S> = Name extends OwnColumns<S> ? Name : CheckedElsewhere<Name, S>;

type CheckedElsewhere<Name extends Subject, S> = Checked<
  Name,
  Name extends string
    ? FieldProblem<Name, S>
    : Name extends CallerColumn<infer Column>
      ? CallerProblem<Column, S>
      : never
>;

/** The left side of an operator on a list, or an error message. */
type CheckedList<Name extends Subject, S> = Checked<
  Name,
  Name extends string
    ? FieldProblem<Name, S, ListKind>
    : Name extends CallerColumn<infer Column>
      ? CallerProblem<Column, S, ListKind>
      : never
>;

/** A field or path on the right side if it exists, else an error message. */
type CheckedField<Name extends string, S> = Checked<Name, FieldProblem<Name, S>>;

/** A column of the caller if it exists, else an error message. */
type CheckedColumn<Column extends string, S> = Checked<Column, CallerProblem<Column, S>>;

/** The path of an EXISTS if it leads to a model, else an error message. */
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

/** Without a scope, any name. */
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

/** The error message for a path to a column; never if it is valid. */
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

type KindOf<Name extends string, M extends Model> = Name extends keyof M["fields"]
  ? M["fields"][Name]["kind"]
  : Exclude<FieldKind, ListKind>;

/** The model of a relation with at most one row. */
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

/** The path of a call if it ends at a row of the model, else an error message. No path is the row at hand. */
type CheckedCall<Path extends readonly string[], Key extends string, S> = S extends AnyScope
  ? CallEnd<Path, S> extends infer End
    ? End extends Model
      ? End["key"] extends Key
        ? Path
        : readonly [`${End["key"]} is not ${Key}`]
      : readonly [End & string]
    : never
  : Path;

type CallEnd<Path extends readonly string[], S extends AnyScope> = Path extends readonly [
  infer Name extends string,
]
  ? S["this"] extends Model
    ? Name extends "this"
      ? S["this"]
      : Name extends `this.${infer Rest}`
        ? RowAt<Rest, S["this"], S>
        : RowAt<Name, S["model"], S>
    : RowAt<Name, S["model"], S>
  : S["model"];

/** The model at the end of a path of relations with at most one row, or an error message. */
type RowAt<Path extends string, M, S extends AnyScope> = M extends Model
  ? Path extends `${infer Name}.${infer Rest}`
    ? RowAt<Rest, OneRow<Name, M, S>, S>
    : OneRow<Path, M, S>
  : M;

/** The model at the end of a path of any relations, or an error message. */
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

/** Claims of the caller. For a guest, `role` is `guest` and the others are NULL. */
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

/** Another field, for the right side of a comparison. */
export const field = <const Name extends string, S = NoScope>(
  name: CheckedField<Name, S>,
): OtherFieldIn<S> => ({ field: name });

/** The time of the statement. */
export const now = { placeholder: "now" } as const;

/** A time before the statement: `ago(15, "minute")`. */
export const ago = (amount: number, unit: TimeUnit): Moment => ({
  ...now,
  offset: { amount: -amount, unit },
});

/** A time after the statement: `fromNow(2, "day")`. */
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
  return <S = NoScope>(...conditions: readonly RowCondition<S>[]): RowCondition<S> => {
    // A named condition can be the same junction. Flat, it costs what the written-out condition costs.
    const parts = conditions.flatMap((each): readonly Condition[] =>
      each.op === op ? each.conditions : [each],
    );
    return { op, conditions: parts };
  };
}

export const and = junction("and");
export const or = junction("or");

export const not = <S = NoScope>(condition: RowCondition<S>): RowCondition<S> => ({ op: "not", condition });

/**
 * A named condition about a row of a model, as `generated/conditions.ts` has it. The result makes it a condition of a rule: with a path
 * to such a row, or without one about the row at hand.
 */
export const defineCondition =
  <M extends Model, Way extends ReachedModels<Way> = object>(condition: RowConditionOf<M, Way>) =>
  <const Path extends readonly [] | readonly [string], S = NoScope>(
    ...path: CheckedCall<Path, M["key"], S>
  ): RowCondition<S> =>
    conditionBehind(path[0] ?? "", condition);
