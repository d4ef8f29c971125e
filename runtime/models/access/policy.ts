import {
  administratorRoles,
  guestRole,
  isReservedRole,
  signedInRole,
} from "../../../vocabulary/accounts/role-names.ts";
import type { Condition } from "../../../vocabulary/conditions/conditions.ts";
import {
  type Fallback,
  type FallbackPhrase,
  fallbacks,
  type fieldOperations,
  isFallback,
  type Operation,
  operations,
} from "../../../vocabulary/operations.ts";
import type { Model } from "../index.ts";
import type { OwnField, ReachedModels, RowConditionOf } from "./policy-conditions.ts";

/**
 * Names that every object has, such as `constructor`. The compiler cannot distinguish a gate with this name
 * from a missing gate.
 */
type Inherited = keyof typeof Object.prototype;

type OpenRows = true | Condition;

/** A rule that counts only for writes whose sent fields are all in its list. */
export interface FieldRule<Rows, Name extends string = string> {
  readonly fields: readonly Name[];
  readonly rows: Rows;
}

/** The rows of a role in an operation that writes fields. */
type WriteRows<Rows, Name extends string = string> =
  | Rows
  | FieldRule<Rows, Name>
  | readonly (Rows | FieldRule<Rows, Name>)[];

/** The operations whose rules can name fields. */
type FieldOperation = (typeof fieldOperations)[number];

/**
 * The roles that may run an operation, each with its rows: `*` is every role, `signed_in` every role except
 * guests. `true` means all rows.
 */
export type RoleRules<Rows = WriteRows<OpenRows>> = {
  readonly [role: string]: Rows;
} & {
  // Otherwise the compiler reads `toString: true` as the function of that name, and widens it to a boolean.
  readonly [Role in Inherited]?: Rows | object;
};

/** The roles that may read or write one field. Without a list: everyone. With an empty list: no one. */
export interface FieldRules {
  readonly read?: readonly string[];
  readonly write?: readonly string[];
}

/** The access block of a model, with an entry for each operation. */
export type PolicyLiteral<M extends Model, Way = object> = {
  readonly [Op in Operation]:
    | RoleRules<
        Op extends FieldOperation
          ? WriteRows<true | RowConditionOf<M, Way>, keyof M["fields"] & string>
          : true | RowConditionOf<M, Way>
      >
    | (Op extends Fallback ? FallbackPhrase<Op> : never);
} & {
  readonly fields: { readonly [Name in OwnField<M>]?: Name extends Inherited ? object : FieldRules };
};

/**
 * A role (`*` is every role, `signed_in` every role except guests) and its rows; without a condition all
 * rows.
 */
export interface Rule {
  readonly role: string;
  readonly when?: Condition;
  /** It counts only for writes whose sent fields are all in the list. */
  readonly fields?: readonly string[];
}

/** The rules of one operation. Its type prevents a route from using the rules of another route. */
export interface OperationPolicy<Op extends Operation = Operation> {
  readonly operation: Op;
  readonly rules: readonly Rule[];
  /** Rules for new rows. They differ from `rules` only for `upsert`. */
  readonly insertRules: readonly Rule[];
}

export type Policy = { readonly [Op in Operation]: OperationPolicy<Op> } & {
  readonly fields: Readonly<Partial<Record<string, FieldRules>>>;
};

/**
 * Declares the access rules of a model. Fields and relations in conditions are type-checked, also those of
 * other models.
 */
export function definePolicy<M extends Model, Way extends ReachedModels<Way> = object>(
  literal: PolicyLiteral<M, Way>,
): Policy {
  return {
    fetch: policyOf("fetch", literal),
    search: policyOf("search", literal),
    count: policyOf("count", literal),
    exists: policyOf("exists", literal),
    create: policyOf("create", literal),
    update: policyOf("update", literal),
    upsert: policyOf("upsert", literal),
    delete: policyOf("delete", literal),
    destroy: policyOf("destroy", literal),
    restore: policyOf("restore", literal),
    fields: literal.fields,
  };
}

type Entries = Readonly<Record<Operation, RoleRules | FallbackPhrase>>;

function policyOf<Op extends Operation>(operation: Op, entries: Entries): OperationPolicy<Op> {
  const found = entriesOf(operation, entries);
  return { operation, rules: rulesOf(found.at(-1) ?? {}), insertRules: rulesOf(found[0] ?? {}) };
}

/** The rules of an operation, or of those that it falls back to. */
function entriesOf(operation: Operation, entries: Entries): RoleRules[] {
  const entry = entries[operation];
  if (typeof entry === "object") return [entry];
  return isFallback(operation) ? fallbacks[operation].flatMap((other) => entriesOf(other, entries)) : [];
}

function rulesOf(roles: Readonly<Record<string, WriteRows<OpenRows>>>): Rule[] {
  return Object.entries(roles).flatMap(([role, rows]) =>
    (isList(rows) ? rows : [rows]).map((rule): Rule => {
      if (rule === true) return { role };
      if ("op" in rule) return { role, when: rule };
      const { fields, rows: open } = rule;
      return open === true ? { role, fields } : { role, fields, when: open };
    }),
  );
}

/** `Array.isArray` does not narrow a type with read-only lists. */
function isList<Rows>(rows: Rows | readonly Rows[]): rows is readonly Rows[] {
  return Array.isArray(rows);
}

const administrativeRoles: ReadonlySet<string> = new Set(administratorRoles);

/** Whether a role may act for other users, and manage rate limits. */
export function isAdministrator(role: string): boolean {
  return administrativeRoles.has(role);
}

/** All roles that the policies name, in alphabetical order, without `*`, `signed_in` and `self`. */
export function namedRoles(policies: readonly Policy[]): string[] {
  const roles = new Set(policies.flatMap(admitted).filter((role) => !isReservedRole(role)));
  return [...roles].sort();
}

/** Whether guests have other rules than callers with an unnamed role. */
export function distinguishesGuests(policy: Policy): boolean {
  return admitted(policy).some((role) => role === guestRole || role === signedInRole);
}

/** All role names in a policy. */
function admitted(policy: Policy): string[] {
  const rules = operations.flatMap((operation) => {
    const { rules, insertRules } = policy[operation];
    return [...rules, ...insertRules].map(({ role }) => role);
  });
  const gates = Object.values(policy.fields).flatMap((gates) => [
    ...(gates?.read ?? []),
    ...(gates?.write ?? []),
  ]);
  return [...rules, ...gates];
}
