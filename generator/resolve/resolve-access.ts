import { selfRole } from "../../vocabulary/accounts/role-names.ts";
import {
  allOperations,
  fallbacks,
  isFallback,
  type Operation,
  operations,
} from "../../vocabulary/operations.ts";
import { compileCondition, type ScopeModel } from "../conditions/index.ts";
import type { AccessDefinition, FieldAccessDefinition, RuleDefinition } from "../definition/definition.ts";
import type { SourceSpan } from "../diagnostics/index.ts";
import type { RawModel, RawRule } from "../load/raw.ts";
import type { ModelNode } from "./model-graph.ts";
import { operationsOfAll } from "./operations-of-model.ts";
import { isGenerated } from "./resolve-stored.ts";

/** Resolves access rules with their fallbacks. The rules have passed the checks. */
export function resolveAccess(node: ModelNode, scope: ScopeModel): AccessDefinition {
  const model = node.raw;
  const entries = [...model.access.operations].flatMap(([key, { rules, phrase }]) =>
    phrase === null ? [[key, rules.map((rule) => resolveRule(rule, scope))] as const] : [],
  );
  const declared = new Map(entries);
  const all = declared.get(allOperations) ?? [];
  for (const operation of operationsOfAll(model)) declared.set(operation, all);
  const of = (operation: Operation) => declared.get(operation) ?? [];
  const upsert = declared.get("upsert");
  const searchesAsFetch = model.access.operations.get("search")?.phrase != null;
  return {
    operations: {
      fetch: of("fetch"),
      search: of(searchesAsFetch ? fallbacks.search[0] : "search"),
      count: declared.get("count") ?? of(fallbacks.count[0]),
      exists: declared.get("exists") ?? of(fallbacks.exists[0]),
      create: of("create"),
      update: of("update"),
      delete: of("delete"),
      destroy: of("destroy"),
      // Without soft delete the route is 404 for everyone, so its rules have no effect.
      restore: model.softDelete ? of("restore") : [],
    },
    upsert: {
      insert: upsert ?? of(fallbacks.upsert[0]),
      update: upsert ?? of(fallbacks.upsert[1]),
    },
    fallbacks: operations
      .filter(isFallback)
      .filter((operation) => (operation === "search" ? searchesAsFetch : !declared.has(operation))),
    fields: model.builtIn ? closedFields(node) : fieldAccess(model),
  };
}

/** No role can write a field with a preset, unless an entry names roles, or a field that only the database writes. */
function fieldAccess({ access, fields }: RawModel): FieldAccessDefinition[] {
  const unwritten = new Set(
    fields.filter((field) => field.preset !== null || isGenerated(field)).map(({ name }) => name),
  );
  const declared = access.fields.map(({ field, read, write }) => ({
    field: field.value,
    read: read?.map(({ value }) => value) ?? null,
    write: write?.map(({ value }) => value) ?? (unwritten.has(field.value) ? [] : null),
  }));
  const named = new Set(declared.map(({ field }) => field));
  const closed = [...unwritten].filter((name) => !named.has(name));
  return [...declared, ...closed.map((field) => ({ field, read: null, write: [] }))];
}

/** Joins can read only the columns of the built-in model that `access.fields` opens. `self` is in no join. */
function closedFields({ raw, kinds }: ModelNode): FieldAccessDefinition[] {
  const declared = new Map(fieldAccess(raw).map((entry) => [entry.field, entry]));
  return [...kinds].map(([field, kind]) => {
    const { read, write } = declared.get(field) ?? { read: null, write: null };
    const writes = write?.includes(selfRole) === true;
    const reads = (writes || read?.includes(selfRole) === true) && kind !== "password";
    const closed = { field, read: withoutSelf(read ?? []), write: write && withoutSelf(write) };
    return reads || writes ? { ...closed, owner: { reads, writes } } : closed;
  });
}

function withoutSelf(roles: readonly string[]): readonly string[] {
  return roles.filter((role) => role !== selfRole);
}

/** Apart from the definition, whose printed form has no positions. */
const positions = new WeakMap<RuleDefinition, SourceSpan>();

/** Where the models file declares a rule: the position of its role. */
export function ruleSpan(rule: RuleDefinition): SourceSpan | null {
  return positions.get(rule) ?? null;
}

function resolveRule(rule: RawRule, scope: ScopeModel): RuleDefinition {
  const resolved = ruleOf(rule, scope);
  positions.set(resolved, rule.role.at);
  return resolved;
}

function ruleOf(rule: RawRule, scope: ScopeModel): RuleDefinition {
  const { condition } = rule;
  const role = rule.role.value;
  const fields = rule.fields?.names.map(({ value }) => value) ?? null;
  if (condition === null) return { role, condition: null, written: null, text: null, fields };
  const compiled = compileCondition(condition.value, scope);
  if (compiled.condition === null)
    throw new Error(`condition ${condition.value} does not compile, yet passed the checks`);
  return { role, condition: compiled.condition, written: compiled.written, text: condition.value, fields };
}
