import { type ConditionScope, compileCondition } from "../conditions/index.ts";
import type { RawModel, RawRule } from "../load/raw.ts";
import type { AccessDefinition, Operation, RuleDefinition } from "./definition.ts";

/** Settles who may do what, with its fallbacks (decisions, part 4). The rules have passed the checks. */
export function resolveAccess(model: RawModel, scope: ConditionScope): AccessDefinition {
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
    fields: model.access.fields.map(({ field, read, write }) => ({
      field: field.value,
      read: read?.map(({ value }) => value) ?? null,
      write: write?.map(({ value }) => value) ?? null,
    })),
  };
}

function resolveRule({ role, condition }: RawRule, scope: ConditionScope): RuleDefinition {
  if (condition === null) return { role: role.value, condition: null, text: null };
  const compiled = compileCondition(condition.value, scope);
  if (compiled.condition === null)
    throw new Error(`condition ${condition.value} does not compile, yet passed the checks`);
  return { role: role.value, condition: compiled.condition, text: condition.value };
}
