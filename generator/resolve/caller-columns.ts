import { didYouMean } from "../../vocabulary/nearest.ts";
import { isUserField } from "../../vocabulary/user-fields.ts";
import { type CallerColumns, type ConditionColumn, claimOf } from "../conditions/index.ts";
import type { RawFieldAccess } from "../load/raw.ts";
import type { ModelNode } from "./model-graph.ts";

/** Built-in columns of `users` that nobody sets for himself (decisions, part 4). */
const trusted: readonly string[] = ["role", "is_active", "is_verified", "created_at"];

/** The columns of `users` that conditions compare with: those that no caller can set for himself. */
export function callerColumns(
  users: ModelNode | undefined,
  columns: ReadonlyMap<string, ConditionColumn>,
): CallerColumns {
  const writers = new Map(users?.raw.access.fields.map((entry) => [entry.field.value, rolesOf(entry)]));
  const isAllowed = (name: string, { kind }: ConditionColumn) =>
    trusted.includes(name) ||
    (kind !== "password" && isOwn(users, name) && (writers.get(name) ?? []).length === 0);
  const allowed = new Map([...columns].filter(([name, column]) => isAllowed(name, column)));
  const all = `allowed are ${[...allowed.keys()].map((name) => `{user.${name}}`).join(", ")}`;
  return {
    allowed,
    refusal: (name) => {
      const roles = writers.get(name) ?? [];
      const isThere = users?.kinds.has(name) === true;
      const near = isThere ? null : didYouMean(name, allowed.keys());
      return { reason: reason(name, users, roles), hint: hintOf(name, users, roles) ?? near ?? all };
    },
  };
}

function rolesOf({ write }: RawFieldAccess): readonly string[] {
  return (write ?? []).map(({ value }) => value);
}

function isOwn(users: ModelNode | undefined, name: string): boolean {
  return users?.fields.has(name) === true && !isUserField(name);
}

function reason(name: string, users: ModelNode | undefined, writers: readonly string[]): string {
  const kind = users?.kinds.get(name);
  if (users?.relations.has(name) === true && kind === undefined) return "it is a relation, not a column";
  if (kind === undefined) return '"users" has no such field';
  if (kind === "password") return "it is a password";
  if (name === "id") return "the credential says it";
  if (!isOwn(users, name)) return "the caller can change it";
  const roles = writers.map((role) => JSON.stringify(role)).join(", ");
  return `"access.fields" of "users" lets ${roles} write it, so that callers may set it for themselves`;
}

function hintOf(name: string, users: ModelNode | undefined, writers: readonly string[]): string | null {
  const claim = claimOf.get(name);
  if (claim !== undefined) return `write ${claim}`;
  const relation = users?.relations.get(name);
  if (relation?.kind === "belongs_to" && relation.field !== name) return `write {user.${relation.field}}`;
  return isOwn(users, name) && writers.length > 0
    ? `take its "write" out of "access.fields", or take a field that has none`
    : null;
}
