import { Kind, type SelectionNode } from "graphql";
import type { Keep } from "./collect.ts";
import { refuse } from "./document-problem.ts";
import type { VariableDeclaration, Variables } from "./variables.ts";

/** The variables that `@skip` and `@include` ask are Booleans. Errors: 400 `VALIDATION_ERROR`. */
export function requireBooleans(names: readonly string[], declared: readonly VariableDeclaration[]): void {
  for (const { name, type, typeName } of declared) {
    const inner = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
    if (names.includes(name) && (typeName !== "Boolean" || inner.kind !== Kind.NAMED_TYPE)) {
      throw refuse(name, "must be a Boolean, since @skip or @include asks it");
    }
  }
}

/** The values of such variables, as `true` and `false`. Errors: 400 where one was not given or is null. */
export function readConditions(names: readonly string[], variables: Variables): ReadonlyMap<string, boolean> {
  const conditions = new Map<string, boolean>();
  for (const name of names) {
    const value = variables.value(name);
    if (typeof value !== "boolean")
      throw refuse(name, "must be true or false, since @skip or @include asks it");
    conditions.set(name, value);
  }
  return conditions;
}

/** Keeps what `@skip` and `@include` let through. */
export function keepBy(conditions: ReadonlyMap<string, boolean>): Keep {
  return ({ directives = [] }: SelectionNode) =>
    directives.every(({ name, arguments: args = [] }) => {
      const value = args[0]?.value;
      const met = value?.kind === Kind.VARIABLE ? conditions.get(value.name.value) : isTrue(value);
      return (name.value === "include") === met;
    });
}

function isTrue(node: { readonly kind: Kind; readonly value?: unknown } | undefined): boolean {
  return node?.kind === Kind.BOOLEAN && node.value === true;
}
