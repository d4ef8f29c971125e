import type { Operation } from "../../vocabulary/operations.ts";
import { type ConditionScope, compileCondition } from "../conditions/index.ts";
import type { AccessDefinition, FieldAccessDefinition, RuleDefinition } from "../definition/definition.ts";
import type { RawModel, RawRule } from "../load/raw.ts";
import type { ModelNode } from "./model-graph.ts";

/** Settles who may do what, with its fallbacks (decisions, part 4). The rules have passed the checks. */
export function resolveAccess(node: ModelNode, scope: ConditionScope): AccessDefinition {
  const model = node.raw;
  const own = (operation: Operation) =>
    model.access.operations.get(operation)?.rules.map((rule) => resolveRule(rule, scope));
  const [fetch, create, update, upsert] = [
    own("fetch") ?? [],
    own("create") ?? [],
    own("update") ?? [],
    own("upsert"),
  ];
  return {
    operations: {
      fetch,
      search: own("search") ?? [],
      count: own("count") ?? fetch,
      exists: own("exists") ?? fetch,
      create,
      update,
      delete: own("delete") ?? [],
      destroy: own("destroy") ?? [],
      // Without soft delete the route is 404 for everyone, so that no rule opens it.
      restore: model.softDelete ? (own("restore") ?? []) : [],
    },
    upsert: { insert: upsert ?? create, update: upsert ?? update },
    fields: model.builtIn === null ? fieldAccess(model) : closedFields(node),
  };
}

function fieldAccess({ access }: RawModel): FieldAccessDefinition[] {
  return access.fields.map(({ field, read, write }) => ({
    field: field.value,
    read: read?.map(({ value }) => value) ?? null,
    write: write?.map(({ value }) => value) ?? null,
  }));
}

/** Of a model of the service itself joins read what a rule opens, and no other column (decisions, part 7). */
function closedFields({ raw, kinds }: ModelNode): FieldAccessDefinition[] {
  const declared = new Map(fieldAccess(raw).map((entry) => [entry.field, entry]));
  return [...kinds.keys()].map((field) => {
    const { read, write } = declared.get(field) ?? { read: null, write: null };
    return { field, read: read ?? [], write };
  });
}

function resolveRule({ role, condition }: RawRule, scope: ConditionScope): RuleDefinition {
  if (condition === null) return { role: role.value, condition: null, text: null };
  const compiled = compileCondition(condition.value, scope);
  if (compiled.condition === null)
    throw new Error(`condition ${condition.value} does not compile, yet passed the checks`);
  return { role: role.value, condition: compiled.condition, text: condition.value };
}
