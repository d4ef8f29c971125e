import { signedInRole } from "../../../vocabulary/accounts/role-names.ts";
import type { Condition } from "../../../vocabulary/conditions/conditions.ts";
import type { Operation } from "../../../vocabulary/operations.ts";
import { columnsOf, type Model } from "../index.ts";
import type { FieldRules, OperationPolicy, Policy, Rule } from "./policy.ts";
import { guest, isFor, isSignedIn, type Standing } from "./principal.ts";
import { namedRoles, tellsGuests } from "./roles.ts";

/** The rows that a role reaches with one operation. */
export type Scope =
  | { readonly kind: "none" }
  | { readonly kind: "all" }
  | { readonly kind: "some"; readonly when: Condition };

/** What one role sees of one model. Made once; roles that no rule names share one view. */
export interface RoleView {
  /** A short text that stands for the view in cache keys. */
  readonly id: string;
  /** The fields of an answer without `select_fields`, in order. */
  readonly readable: readonly string[];
  readonly unreadable: ReadonlySet<string>;
  readonly unwritable: ReadonlySet<string>;
  /** The rows that the role can fetch. */
  readonly fetches: Scope;
  /** Some field is closed to the role. */
  readonly restricted: boolean;
}

/** The views of one model. */
interface Views {
  readonly guests: RoleView;
  /** Of callers with a credential, by the role in it. */
  readonly byRole: ReadonlyMap<string, RoleView>;
  readonly others: RoleView;
}

const known = new WeakMap<Policy, Views>();

/** The view of a caller; those with roles that the policy never names all get the same one. */
export function viewOf(model: Model, policy: Policy, caller: Standing): RoleView {
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
    guests: tellsGuests(policy) ? makeView(model, policy, guest, "guests") : others,
    byRole: new Map(namedRoles([policy]).map((role, index) => [role, signedInAs(role, index)])),
    others,
  };
}

/** The rows that a caller reaches: the matching rules OR-combined, all rows where one has no condition (decisions, part 4). */
function scopeOf(rules: readonly Rule[], caller: Standing): Scope {
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

function makeView(model: Model, policy: Policy, caller: Standing, id: string): RoleView {
  const columns = [...columnsOf(model).values()];
  const closed = (deed: keyof FieldRules) =>
    columns.filter(({ name }) => !admits(policy.fields[name]?.[deed], caller)).map(({ name }) => name);
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

function admits(roles: readonly string[] | undefined, caller: Standing): boolean {
  return roles === undefined || roles.some((role) => isFor(role, caller));
}

/** The scopes of an operation for one caller, or one role. */
export interface Grant {
  readonly operation: Operation;
  /** The rows that the operation may read or change. */
  readonly scope: Scope;
  /** The rows that it may add. */
  readonly insert: Scope;
}

/** What a caller is granted by the rules of an operation; null when he may not run it at all. */
export function grantOf(policy: OperationPolicy, caller: Standing): Grant | null {
  const grant = {
    operation: policy.operation,
    scope: scopeOf(policy.rules, caller),
    insert: scopeOf(policy.insertRules, caller),
  };
  return grant.scope.kind === "none" || grant.insert.kind === "none" ? null : grant;
}
