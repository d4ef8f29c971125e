import type { Condition } from "../../vocabulary/conditions.ts";
import type { Operation } from "../../vocabulary/operations.ts";
import { columnsOf, type Model } from "../model/index.ts";
import type { FieldRules, OperationPolicy, Policy, Rule } from "./policy.ts";
import { namedRoles } from "./roles.ts";

/** The rows that a role reaches with one operation. */
export type Scope =
  | { readonly kind: "none" }
  | { readonly kind: "all" }
  | { readonly kind: "some"; readonly when: Condition };

/** What one role sees of one model. Made once; roles that no rule names share one view. */
export interface RoleView {
  /** A short text that stands for the view in cache keys. */
  readonly id: string;
  readonly role: string;
  /** The fields of an answer without `select_fields`, in order. */
  readonly readable: readonly string[];
  readonly unreadable: ReadonlySet<string>;
  readonly unwritable: ReadonlySet<string>;
  /** Some field is closed to the role. */
  readonly restricted: boolean;
}

const anyOther = "*";
const views = new WeakMap<Policy, Map<string, RoleView>>();

/** The view of a role; roles that the policy never names all get the same one. */
export function viewOf(model: Model, policy: Policy, role: string): RoleView {
  let byRole = views.get(policy);
  if (byRole === undefined) {
    byRole = new Map(
      [...namedRoles([policy]), anyOther].map((name, index) => [name, makeView(model, policy, name, index)]),
    );
    views.set(policy, byRole);
  }
  const view = (role === anyOther ? undefined : byRole.get(role)) ?? byRole.get(anyOther);
  if (view === undefined) throw new Error(`no view of ${model.key} for other roles`);
  return view;
}

/** The rows that a role reaches: its matching rules OR-combined, all rows where one has no condition (decisions, part 4). */
function scopeOf(rules: readonly Rule[], role: string): Scope {
  const matching = rules.filter((rule) => rule.role === "*" || rule.role === role);
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

function makeView(model: Model, policy: Policy, role: string, index: number): RoleView {
  const columns = [...columnsOf(model).values()];
  const closed = (deed: keyof FieldRules) =>
    columns.filter(({ name }) => !admits(policy.fields[name]?.[deed], role)).map(({ name }) => name);
  const passwords = columns.filter(({ kind }) => kind === "password").map(({ name }) => name);
  const unreadable = new Set([...closed("read"), ...passwords]);
  const unwritable = new Set(closed("write"));
  return {
    id: index.toString(36),
    role,
    readable: columns.map(({ name }) => name).filter((name) => !unreadable.has(name)),
    unreadable,
    unwritable,
    restricted: unreadable.size + unwritable.size > 0,
  };
}

function admits(roles: readonly string[] | undefined, role: string): boolean {
  return roles === undefined || roles.includes("*") || roles.includes(role);
}

/** The scopes of an operation for one role. */
export interface Grant {
  readonly operation: Operation;
  /** The rows that the operation may read or change. */
  readonly scope: Scope;
  /** The rows that it may add. */
  readonly insert: Scope;
}

/** What a role is granted by the rules of an operation; null when it may not run it at all. */
export function grantOf(policy: OperationPolicy, role: string): Grant | null {
  const grant = {
    operation: policy.operation,
    scope: scopeOf(policy.rules, role),
    insert: scopeOf(policy.insertRules, role),
  };
  return grant.scope.kind === "none" || grant.insert.kind === "none" ? null : grant;
}
