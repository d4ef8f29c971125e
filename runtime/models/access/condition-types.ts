import type {
  CallerColumn,
  Condition,
  OtherField,
  Subject,
  Value,
} from "../../../vocabulary/conditions/conditions.ts";
import type { FieldKind, ListKind } from "../../../vocabulary/fields/field-kinds.ts";
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
export interface ConditionScope<M extends Model, Way, This extends Model | null = null> {
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
export type RowCondition<S> = Condition & In<S>;

/** In place of the scope of a condition that stands in none. */
export type NoScope = "built outside of definePolicy";

/** What may stand in the rules of a model. Of one whose fields are not known here, any condition. */
export type RowConditionOf<M extends Model, Way> = Model extends M
  ? Condition
  : RowCondition<ConditionScope<M, Way>>;

/** A column of the caller that was looked up. */
export interface CallerColumnIn<Column extends string, S> extends CallerColumn<Column>, In<S> {}

/** Another field that was looked up. */
export interface OtherFieldIn<S> extends OtherField, In<S> {}

/** What stands on the right of a list or a range. */
export type ValueIn<S> = Exclude<Value, CallerColumn> | CallerColumnIn<string, S>;

/** What stands on the right of a comparison. */
export type OperandIn<S> = ValueIn<S> | OtherFieldIn<S>;

/** What a comparison is about where it stands for something, else what is wrong with it. The first question is for the compiler's speed. */
export type CheckedSubject<Name extends Subject, S> =
  Name extends OwnColumns<S> ? Name : CheckedElsewhere<Name, S>;

type CheckedElsewhere<Name extends Subject, S> = Checked<
  Name,
  Name extends string
    ? FieldProblem<Name, S>
    : Name extends CallerColumn<infer Column>
      ? CallerProblem<Column, S>
      : never
>;

/** The same of a list. */
export type CheckedList<Name extends Subject, S> = Checked<
  Name,
  Name extends string
    ? FieldProblem<Name, S, ListKind>
    : Name extends CallerColumn<infer Column>
      ? CallerProblem<Column, S, ListKind>
      : never
>;

/** A field or path on the right where it stands for something, else what is wrong with it. */
export type CheckedField<Name extends string, S> = Checked<Name, FieldProblem<Name, S>>;

/** A column of the caller where it is there, else what is wrong with it. */
export type CheckedColumn<Column extends string, S> = Checked<Column, CallerProblem<Column, S>>;

/** The path of an EXISTS where it leads to a model, else what is wrong with it. */
export type CheckedPath<Path extends string, S> = Checked<
  Path,
  S extends AnyScope ? Exclude<PathEnd<Path, S>, Model> : never
>;

/** The scope of the condition in an EXISTS. */
export type ScopeWithin<Path extends string, S> = S extends AnyScope
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
