import { type ConditionNames, disjunctsOf, isCovered, type NamedHop } from "#generator/conditions/index";
import type { ModelDefinition, RuleDefinition, ServiceDefinition } from "#generator/definition/definition";
import { conditionText } from "#generator/emit/views/condition-view";
import { coversRole } from "#vocabulary/accounts/role-names";
import type { Condition } from "#vocabulary/conditions/conditions";
import type { AccessReport, FoundRule } from "./access-report.ts";
import {
  columnNamesOf,
  declaredOperations,
  operationOf,
  type RuledOperation,
  ruledOperations,
  rulesOf,
} from "./model-access.ts";

type Models = ReadonlyMap<string, ModelDefinition>;

const byKey = ({ models }: ServiceDefinition): Models => new Map(models.map((model) => [model.key, model]));

export function foundRule(
  model: ModelDefinition,
  ruled: RuledOperation,
  { role, text }: RuleDefinition,
  reason: string,
): FoundRule {
  return { model: model.key, operation: operationOf(ruled), role, condition: text ?? "all rows", reason };
}

/** Rules whose rows another rule opens to the same role. Of equal rules, the first one stays. */
export function coveredRules(definition: ServiceDefinition, models: readonly ModelDefinition[]): FoundRule[] {
  const all = byKey(definition);
  return models.flatMap((model) => {
    const names = namesOf(model, all);
    return declaredOperations(model).flatMap((ruled) => {
      const rules = rulesOf(model, ruled);
      return rules.flatMap((rule, index) => {
        const wider = rules.find(
          (other, at) =>
            at !== index && opensMore(other, rule, names) && !(at > index && opensMore(rule, other, names)),
        );
        const reason = `the rule of ${wider?.role} for ${wider?.text ?? "all rows"} opens its rows`;
        return wider === undefined ? [] : [foundRule(model, ruled, rule, reason)];
      });
    });
  });
}

/** Whether a rule opens all rows and writes of another one, to all of its callers. */
function opensMore(wide: RuleDefinition, narrow: RuleDefinition, names: ConditionNames): boolean {
  const fields =
    wide.fields === null || narrow.fields?.every((field) => wide.fields?.includes(field)) === true;
  if (!coversRole(wide.role, narrow.role) || !fields) return false;
  if (wide.condition === null || narrow.condition === null) return wide.condition === null;
  const known = disjunctsOf(conditionText(wide.condition), names);
  const parts = disjunctsOf(conditionText(narrow.condition), names);
  return parts?.every((part) => isCovered(part, known ?? [])) === true;
}

/** Names of the current models. */
function namesOf(model: ModelDefinition, all: Models): ConditionNames {
  const same = (name: string) => name;
  const readFieldsOf = (one: ModelDefinition) => new Set(columnNamesOf(one));
  return {
    fields: readFieldsOf(model),
    nameOf: same,
    callerColumn: same,
    pathOf(relations) {
      const steps = walk(model, relations, all);
      const end = steps?.at(-1)?.target ?? model;
      return steps && { hops: steps.map(({ hop }) => hop), fields: readFieldsOf(end), nameOf: same };
    },
  };
}

interface Step {
  readonly hop: NamedHop;
  readonly target: ModelDefinition;
}

function walk(model: ModelDefinition, relations: readonly string[], all: Models): Step[] | null {
  const steps: Step[] = [];
  let at = model;
  for (const name of relations) {
    const relation = at.relations.find((one) => one.name === name);
    const target = relation && all.get(relation.model);
    if (relation === undefined || target === undefined) return null;
    const leads = `${at.key}.${relation.field} ${target.key}.${relation.references}`;
    const { kind } = relation;
    steps.push({
      hop: { leads, live: target.softDelete, first: kind === "has_one", many: kind === "has_many" },
      target,
    });
    at = target;
  }
  return steps;
}

/** Models with a path to a tenant (a model that a named condition is `on`) that no rule of the model mentions. */
export function forgottenTenants(
  definition: ServiceDefinition,
  models: readonly ModelDefinition[],
): AccessReport["forgets_tenant"] {
  const all = byKey(definition);
  const tenants = new Set(definition.conditions.map(({ on }) => on));
  return models.flatMap((model) => {
    const rules = ruledOperations.flatMap((ruled) => rulesOf(model, ruled));
    const mentioned = rules.flatMap(({ condition }) =>
      condition === null ? [] : modelsIn(condition, model, model, all),
    );
    const forgotten = [...tenants].filter((tenant) => tenant !== model.key && !mentioned.includes(tenant));
    return forgotten.flatMap((tenant) => {
      const path = rules.length === 0 ? null : pathTo(model, tenant, all);
      return path === null ? [] : [{ model: model.key, tenant, path: path.join(".") }];
    });
  });
}

const longestPath = 6;

/** The shortest path over `belongs_to` and `has_one`. Accounts belong to no tenant. */
function pathTo(model: ModelDefinition, tenant: string, all: Models): readonly string[] | null {
  let ends: { readonly at: ModelDefinition; readonly path: readonly string[] }[] = [{ at: model, path: [] }];
  const seen = new Set([model]);
  for (let length = 0; length < longestPath; length++) {
    ends = ends.flatMap(({ at, path }) =>
      at.relations.flatMap(({ name, kind, model: key }) => {
        const target = all.get(key);
        if (target === undefined || kind === "has_many" || target.builtIn || seen.has(target)) return [];
        seen.add(target);
        return [{ at: target, path: [...path, name] }];
      }),
    );
    const found = ends.find(({ at }) => at.key === tenant);
    if (found !== undefined) return found.path;
  }
  return null;
}

/** The keys of all models that a condition reaches. */
function modelsIn(condition: Condition, at: ModelDefinition, itself: ModelDefinition, all: Models): string[] {
  const along = (path: string, isField: boolean): Step[] => {
    const names = path.split(".");
    const start = names[0] === "this" ? itself : at;
    const relations = names.slice(names[0] === "this" ? 1 : 0, isField ? -1 : undefined);
    return walk(start, relations, all) ?? [];
  };
  if ("conditions" in condition)
    return condition.conditions.flatMap((part) => modelsIn(part, at, itself, all));
  if ("condition" in condition) return modelsIn(condition.condition, at, itself, all);
  if (condition.op === "exists") {
    const steps = along(condition.path, false);
    const end = steps.at(-1)?.target ?? at;
    const inner = condition.where === null ? [] : modelsIn(condition.where, end, itself, all);
    return [...steps.map(({ target }) => target.key), ...inner];
  }
  return typeof condition.field === "string"
    ? along(condition.field, true).map(({ target }) => target.key)
    : [];
}
