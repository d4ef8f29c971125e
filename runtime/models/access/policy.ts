import type { Condition } from "../../../vocabulary/conditions/conditions.ts";
import {
  type Fallback,
  type FallbackPhrase,
  fallbacks,
  isFallback,
  type Operation,
} from "../../../vocabulary/operations.ts";
import type { Model } from "../index.ts";
import type { ModelsOnTheWay, OwnField, RowConditionOf } from "./condition-types.ts";

/** Names that every object has, `constructor` for one: the compiler cannot tell such a gate from none. */
type Inherited = keyof typeof Object.prototype;

type OpenRows = true | Condition;

/** Whom an operation lets in: roles, `*` for every role, `signed_in` for all but guests, each with the rows that it opens; `true` opens all of them. */
export type RoleRules<Rows = OpenRows> = {
  readonly [role: string]: Rows;
} & {
  // Without these the compiler reads `toString: true` as the function of that name, and widens it to a boolean.
  readonly [Role in Inherited]?: Rows | object;
};

/** The roles that may read or write one field; an absent list means everybody, an empty one nobody. */
export interface FieldRules {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
}

/** What the access block of a model says, an entry for each operation. */
export type PolicyLiteral<M extends Model, Way = object> = {
  readonly [Op in Operation]:
    | RoleRules<true | RowConditionOf<M, Way>>
    | (Op extends Fallback ? FallbackPhrase<Op> : never);
} & {
  readonly fields: { readonly [Name in OwnField<M>]?: Name extends Inherited ? object : FieldRules };
};

/** One way to be let in: a role (`*` is every role, guests included; `signed_in` every one but theirs) and the rows that it opens, without a condition all. */
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

/**
 * Declares who may do what with a model. Fields and relations in conditions are checked by their types: those of the model, and of the
 * models on the way where rules go over relations or columns of the caller.
 */
export function definePolicy<M extends Model, Way extends ModelsOnTheWay<Way> = object>(
  literal: PolicyLiteral<M, Way>,
): Policy {
  return {
    fetch: tied("fetch", literal),
    search: tied("search", literal),
    count: tied("count", literal),
    exists: tied("exists", literal),
    create: tied("create", literal),
    update: tied("update", literal),
    upsert: tied("upsert", literal),
    delete: tied("delete", literal),
    destroy: tied("destroy", literal),
    restore: tied("restore", literal),
    fields: literal.fields,
  };
}

type Entries = Readonly<Record<Operation, RoleRules | FallbackPhrase>>;

function tied<Op extends Operation>(operation: Op, entries: Entries): OperationPolicy<Op> {
  const held = heldBy(operation, entries);
  return { operation, rules: rulesOf(held.at(-1) ?? {}), insertRules: rulesOf(held[0] ?? {}) };
}

/** The entry of an operation, or those that hold for it. */
function heldBy(operation: Operation, entries: Entries): RoleRules[] {
  const entry = entries[operation];
  if (typeof entry === "object") return [entry];
  return isFallback(operation) ? fallbacks[operation].flatMap((other) => heldBy(other, entries)) : [];
}

function rulesOf(roles: Readonly<Record<string, OpenRows>>): Rule[] {
  return Object.entries(roles).map(([role, rows]) => (rows === true ? { role } : { role, when: rows }));
}
