import { everyRole, guestRole, signedInRole } from "../../../vocabulary/accounts/role-names.ts";
import type { Condition } from "../../../vocabulary/conditions/conditions.ts";
import type { Operation } from "../../../vocabulary/operations.ts";
import { weakMemo } from "../../core/concurrency/index.ts";
import { ServiceError } from "../../core/errors/index.ts";
import { columnsOf, type Model } from "../index.ts";
import {
  distinguishesGuests,
  type FieldRules,
  namedRoles,
  type OperationPolicy,
  type Policy,
  type Rule,
} from "./policy.ts";

/** The caller: claims of the access token, or a guest. */
export interface Principal {
  /** Null for a guest. */
  readonly user_id: string | null;
  readonly role: string;
  readonly email: string | null;
}

/** The principal of a request without a credential. */
export const guest: Principal = Object.freeze({ user_id: null, role: guestRole, email: null });

/** The key of a request in limits per caller: the user, else the client's network. */
export function shareOf({ user_id }: Pick<Principal, "user_id">, address: string): string {
  return user_id === null ? `address ${address}` : `user ${user_id}`;
}

/** The claims that rules and gates depend on. */
export type Subject = Pick<Principal, "user_id" | "role">;

/** Whether a caller has a credential, even one with the role `guest`. */
export function isSignedIn({ user_id }: Pick<Principal, "user_id">): boolean {
  return user_id !== null;
}

/** Whether a rule or gate for this role applies to the caller. */
export function isFor(role: string, caller: Subject): boolean {
  return role === everyRole || role === caller.role || (role === signedInRole && isSignedIn(caller));
}

/** The rows of an operation. */
export type Scope =
  | { readonly kind: "none" }
  | { readonly kind: "all" }
  | { readonly kind: "some"; readonly when: Condition };

/** The part of a model that one role can see. Roles that no rule names share one view. */
export interface RoleView {
  /** For cache keys. */
  readonly id: string;
  /** The fields of a response without `select_fields`, in order. */
  readonly readable: readonly string[];
  readonly unreadable: ReadonlySet<string>;
  readonly unwritable: ReadonlySet<string>;
  /** The rows that the role can fetch. */
  readonly fetches: Scope;
  /** Some field is not readable or not writable. */
  readonly restricted: boolean;
}

/** The views of one model. */
interface Views {
  readonly guests: RoleView;
  /** Callers with a credential, by role. */
  readonly byRole: ReadonlyMap<string, RoleView>;
  readonly others: RoleView;
}

const known = new WeakMap<Policy, Views>();

/** The view of a caller. Roles that the policy does not name share one. */
export function viewOf(model: Model, policy: Policy, caller: Subject): RoleView {
  let views = known.get(policy);
  if (views === undefined) {
    views = makeViews(model, policy);
    known.set(policy, views);
  }
  return isSignedIn(caller) ? (views.byRole.get(caller.role) ?? views.others) : views.guests;
}

function makeViews(model: Model, policy: Policy): Views {
  const signedInAs = (role: string, index: number) =>
    makeView(model, policy, { user_id: "", role }, index.toString(36));
  // No credential has this role.
  const others = makeView(model, policy, { user_id: "", role: signedInRole }, "others");
  return {
    guests: distinguishesGuests(policy) ? makeView(model, policy, guest, "guests") : others,
    byRole: new Map(namedRoles([policy]).map((role, index) => [role, signedInAs(role, index)])),
    others,
  };
}

/** The matching rules of a caller, OR-combined; all rows if one of them has no condition. */
function scopeOf(rules: readonly Rule[], caller: Subject): Scope {
  const matching = rules.filter(({ role }) => isFor(role, caller));
  if (matching.length === 0) return { kind: "none" };
  const conditions: Condition[] = [];
  for (const { when } of matching) {
    if (when === undefined) return { kind: "all" };
    conditions.push(when);
  }
  const [first, ...rest] = conditions;
  if (first === undefined) return { kind: "none" };
  return { kind: "some", when: rest.length === 0 ? first : { op: "or", conditions } };
}

function makeView(model: Model, policy: Policy, caller: Subject, id: string): RoleView {
  const columns = [...columnsOf(model).values()];
  const closed = (deed: keyof FieldRules) =>
    columns.filter(({ name }) => !allows(policy.fields[name]?.[deed], caller)).map(({ name }) => name);
  const passwords = columns.filter(({ kind }) => kind === "password").map(({ name }) => name);
  const unreadable = new Set([...closed("read"), ...passwords]);
  const unwritable = new Set(closed("write"));
  return {
    id,
    readable: columns.map(({ name }) => name).filter((name) => !unreadable.has(name)),
    unreadable,
    unwritable,
    fetches: scopeOf(policy.fetch.rules, caller),
    restricted: unreadable.size + unwritable.size > 0,
  };
}

function allows(roles: readonly string[] | undefined, caller: Subject): boolean {
  return roles === undefined || roles.some((role) => isFor(role, caller));
}

export interface Grant {
  readonly operation: Operation;
  /** The rows that the operation may read or change. */
  readonly scope: Scope;
  /** The rows that the operation may add. */
  readonly insert: Scope;
  /** For cache keys: the rules that count, if rules of the caller name fields. */
  readonly rules?: string;
  /** The grant of a write that sends these fields, if rules of the caller name fields. Errors: 403. */
  readonly sending?: (fields: readonly string[]) => Grant;
}

/** Null if the caller may not run the operation. */
export function grantOf({ operation, ...policy }: OperationPolicy, caller: Subject): Grant | null {
  const rules = policy.rules.filter(({ role }) => isFor(role, caller));
  const insertRules = policy.insertRules.filter(({ role }) => isFor(role, caller));
  const grant = { operation, scope: scopeOf(rules, caller), insert: scopeOf(insertRules, caller) };
  if (grant.scope.kind === "none" || grant.insert.kind === "none") return null;
  const namesFields = [...rules, ...insertRules].some(({ fields }) => fields !== undefined);
  return namesFields ? { ...grant, sending: grantsByFields(operation, rules, insertRules, caller) } : grant;
}

/** Grants by sent fields. Writes for which the same rules count share a grant. */
function grantsByFields(
  operation: Operation,
  rules: readonly Rule[],
  insertRules: readonly Rule[],
  caller: Subject,
): (fields: readonly string[]) => Grant {
  const known = new Map<string, Grant>();
  return (sent) => {
    const counts = ({ fields }: Rule) => sent.every((name) => fields?.includes(name) ?? true);
    for (const list of [insertRules, rules]) if (!list.some(counts)) throw unnamedField(list, sent);
    const id = [...rules, ...insertRules].map((rule) => (counts(rule) ? "1" : "0")).join("");
    const found = known.get(id);
    if (found !== undefined) return found;
    const scope = scopeOf(rules.filter(counts), caller);
    const grant = { operation, scope, insert: scopeOf(insertRules.filter(counts), caller), rules: id };
    known.set(id, grant);
    return grant;
  };
}

/** Names the first field that no rule names. Without it, no single rule names all of the fields. */
function unnamedField(rules: readonly Rule[], sent: readonly string[]): ServiceError {
  const field = sent.find((name) => !rules.some(({ fields }) => fields?.includes(name)));
  if (field !== undefined) return forbidden(field, "write");
  return new ServiceError("PERMISSION_DENIED", "Your role may not write these fields in one request.");
}

/**
 * The grant of a write that sends a record. Rules that name fields count only if they name each of its
 * fields. Errors: 403 `PERMISSION_DENIED` if no rule counts.
 */
export function grantFor(grant: Grant, record: object | undefined): Grant {
  if (grant.sending === undefined || record === undefined) return grant;
  return grant.sending(Object.keys(record).filter((name) => name !== "id" && name !== "deleted_at"));
}

/** The view of app code: everything except passwords. */
export const appView = weakMemo((model: Model): RoleView => {
  const columns = [...columnsOf(model).values()];
  const names = (hidden: boolean) =>
    columns.filter(({ kind }) => (kind === "password") === hidden).map(({ name }) => name);
  const unreadable = new Set(names(true));
  // No role has this id.
  const id = "code";
  return {
    id,
    readable: names(false),
    unreadable,
    unwritable: new Set(),
    fetches: { kind: "all" },
    restricted: unreadable.size > 0,
  };
});

export interface FieldMentions {
  readonly filters?: readonly { readonly field: string }[];
  readonly order_by?: string | null;
  readonly select_fields?: readonly string[] | null;
  /** Rows by id. */
  readonly ids?: readonly unknown[];
  readonly group_by?: readonly string[];
  /** A record of a body. */
  readonly data?: object;
}

export interface FieldUse {
  readonly read: readonly string[];
  readonly write: readonly string[];
}

/**
 * The fields that a request uses, in REST and GraphQL. Filtering, ordering and grouping by a field, or naming
 * rows by id, reveals its values, so they count as reading.
 */
export function fieldsUsed(mentions: FieldMentions): FieldUse {
  const read = [
    ...(mentions.filters ?? []).map((filter) => filter.field),
    ...(mentions.select_fields ?? []),
    ...(mentions.group_by ?? []),
    ...(mentions.ids === undefined ? [] : ["id"]),
  ];
  if (mentions.order_by != null) read.push(mentions.order_by);
  return { read, write: Object.keys(mentions.data ?? {}) };
}

/** Rejects, as 403 `PERMISSION_DENIED`, a request that uses a forbidden field. */
export function requireFields(view: RoleView, mentions: FieldMentions): void {
  if (!view.restricted) return;
  const { read, write } = fieldsUsed(mentions);
  for (const field of read) if (view.unreadable.has(field)) throw forbidden(field, "read");
  for (const field of write) if (view.unwritable.has(field)) throw forbidden(field, "write");
}

function forbidden(field: string, deed: "read" | "write"): ServiceError {
  return new ServiceError("PERMISSION_DENIED", `Your role may not ${deed} the field ${field}.`, { field });
}
