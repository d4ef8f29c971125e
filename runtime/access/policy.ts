import type { Condition } from "../../vocabulary/conditions.ts";
import { type Fallback, fallbacks, type Operation } from "../../vocabulary/operations.ts";
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

type OpenRows<Field extends string> = true | Condition<Field>;

/** Whom an operation lets in: roles, `*` for every role, each with the rows that it opens; `true` opens all of them. */
export type RoleRules<Field extends string = string> = {
  readonly [role: string]: OpenRows<Field>;
} & {
  // Without these the compiler reads `toString: true` as the function of that name, and widens it to a boolean.
  readonly [Role in Inherited]?: OpenRows<Field> | object;
};

/** The roles that may read or write one field; an absent list means everybody, an empty one nobody. */
export interface FieldRules {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
}

/** What the access block of a model says, an entry for each operation (`generator/resolve/access-fallbacks.ts`). */
export type PolicyLiteral<M extends Model> = {
  readonly [Op in Operation]:
    | RoleRules<ConditionField<M>>
    | (Op extends Fallback ? (typeof fallbacks)[Op] : never);
} & {
  readonly fields: { readonly [Name in OwnField<M>]?: Name extends Inherited ? object : FieldRules };
};

/** One way to be let in: a role (`*` is every role, guests included) and the rows that it opens, without a condition all. */
export interface Rule {
  readonly role: string;
  readonly when?: Condition;
}

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
  const { fetch, count, exists, create, update, upsert } = literal;
  return {
    fetch: tied("fetch", fetch),
    search: tied("search", literal.search),
    count: tied("count", count === fallbacks.count ? fetch : count),
    exists: tied("exists", exists === fallbacks.exists ? fetch : exists),
    create: tied("create", create),
    update: tied("update", update),
    upsert: upsert === fallbacks.upsert ? tied("upsert", update, create) : tied("upsert", upsert),
    delete: tied("delete", literal.delete),
    destroy: tied("destroy", literal.destroy),
    restore: tied("restore", literal.restore),
    fields: literal.fields,
  };
}

function tied<Op extends Operation>(
  operation: Op,
  rules: RoleRules,
  insertRules: RoleRules = rules,
): OperationPolicy<Op> {
  return { operation, rules: rulesOf(rules), insertRules: rulesOf(insertRules) };
}

function rulesOf(roles: Readonly<Record<string, OpenRows<string>>>): Rule[] {
  return Object.entries(roles).map(([role, rows]) => (rows === true ? { role } : { role, when: rows }));
}
