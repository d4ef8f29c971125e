import type { Condition } from "../../vocabulary/conditions.ts";
import type { Operation } from "../../vocabulary/operations.ts";
import type { Model } from "../model/index.ts";

/** Names that every object has, `constructor` for one: the compiler cannot tell such a gate from none. */
type Inherited = keyof typeof Object.prototype;

/** A field of the model or a runtime column. */
type OwnField<M extends Model> =
  | (keyof M["fields"] & string)
  | "id"
  | "created_at"
  | "updated_at"
  | "deleted_at";

/** A field of the model, a runtime column, or `relation.field` over a `belongs_to`. */
type ConditionField<M extends Model> =
  | OwnField<M>
  | `${{ [Name in keyof M["relations"]]: M["relations"][Name]["kind"] extends "belongs_to" ? Name : never }[keyof M["relations"]] & string}.${string}`;

/** One way to be let in: a role (`*` is every role, guests included) and the rows it opens. */
export interface Rule<Field extends string = string> {
  readonly role: string;
  readonly when?: Condition<Field>;
}

/** Who may insert and who may update through `upsert`. */
export interface UpsertRules<Field extends string = string> {
  readonly insert: readonly Rule<Field>[];
  readonly update: readonly Rule<Field>[];
}

/** The roles that may read or write one field; an absent list means everybody, an empty one nobody. */
export interface FieldRules {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
}

type RulesOf<Op extends Operation, Field extends string> = Op extends "upsert"
  ? UpsertRules<Field>
  : readonly Rule<Field>[];

/** What the access block of a model says, fallbacks resolved: one line an operation. */
export type PolicyLiteral<M extends Model> = {
  readonly [Op in Operation]: RulesOf<Op, ConditionField<M>>;
} & {
  readonly fields: { readonly [Name in OwnField<M>]?: Name extends Inherited ? object : FieldRules };
};

/** The rules of one operation, tied to it, so that a route cannot be guarded by another one's. */
export interface OperationPolicy<Op extends Operation = Operation> {
  readonly operation: Op;
  readonly rules: readonly Rule[];
  /** Rules of the rows that the operation may add. They differ from `rules` for `upsert` alone. */
  readonly insertRules: readonly Rule[];
}

export type Policy = { readonly [Op in Operation]: OperationPolicy<Op> } & {
  readonly fields: Readonly<Partial<Record<string, FieldRules>>>;
};

/** Declares who may do what with a model. Fields and relations in conditions are checked by their types. */
export function definePolicy<M extends Model>(literal: PolicyLiteral<M>): Policy {
  const tied = <Op extends Operation>(
    operation: Op,
    rules: readonly Rule[],
    insertRules: readonly Rule[] = rules,
  ): OperationPolicy<Op> => ({ operation, rules, insertRules });
  return {
    fetch: tied("fetch", literal.fetch),
    search: tied("search", literal.search),
    count: tied("count", literal.count),
    exists: tied("exists", literal.exists),
    create: tied("create", literal.create),
    update: tied("update", literal.update),
    upsert: tied("upsert", literal.upsert.update, literal.upsert.insert),
    delete: tied("delete", literal.delete),
    destroy: tied("destroy", literal.destroy),
    restore: tied("restore", literal.restore),
    fields: literal.fields,
  };
}
