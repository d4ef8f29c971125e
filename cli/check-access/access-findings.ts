import { type ConditionNames, disjunctsOf, isCovered, type NamedHop } from "#generator/conditions/index";
import type { ModelDefinition, RuleDefinition, ServiceDefinition } from "#generator/definition/definition";
import { conditionText } from "#generator/emit/views/condition-view";
import { coversRole } from "#vocabulary/accounts/role-names";
import type { Condition } from "#vocabulary/conditions/conditions";
import type { AccessReport, FoundRule } from "./access-report.ts";
import {
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
  rule: RuleDefinition,
  reason: string,
): FoundRule {
  const { role, text } = rule;
  return { model: model.key, operation: operationOf(ruled), role, condition: text ?? "all rows", reason };
}

/** Rules whose rows another rule opens to the same role. Of equal rules, the first one stays. */
export function coveredRules(definition: ServiceDefinition, models: readonly ModelDefinition[]): FoundRule[] {
  const all = byKey(definition);
  return models.flatMap((model) =>
    declaredOperations(model).flatMap((ruled) => {
      const rules = rulesOf(model, ruled);
      return rules.flatMap((rule, index) => {
        const wider = rules.find(
          (other, at) =>
            at !== index &&
            opensMore(other, rule, namesOf(model, all)) &&
            !(at > index && opensMore(rule, other, namesOf(model, all))),
        );
        if (wider === undefined) return [];
        return [
          foundRule(
            model,
            ruled,
            rule,
            `the rule of ${wider.role} for ${wider.text ?? "all rows"} opens its rows`,
          ),
        ];
      });
    }),
  );
}

/** Whether a rule opens all rows and writes of another one, to all of its callers. */
function opensMore(wide: RuleDefinition, narrow: RuleDefinition, names: ConditionNames): boolean {
  const fields =
    wide.fields === null || narrow.fields?.every((field) => wide.fields?.includes(field)) === true;
  if (!coversRole(wide.role, narrow.role) || !fields) return false;
  if (wide.condition === null || narrow.condition === null) return wide.condition === null;
  const [known, parts] = [wide.condition, narrow.condition].map((one) =>
    disjunctsOf(conditionText(one), names),
  );
  return parts?.every((part) => isCovered(part, known ?? [])) === true;
}

/** Names of the current models. */
function namesOf(model: ModelDefinition, all: Models): ConditionNames {
  const same = (name: string) => name;
  const fields = fieldsOf(model);
  return {
    fields,
    nameOf: same,
    callerColumn: same,
    pathOf(relations) {
      const steps = walk(model, relations, all);
      if (steps === null) return null;
      const end = steps.at(-1)?.target ?? model;
      return { hops: steps.map(({ hop }) => hop), fields: fieldsOf(end), nameOf: same };
    },
  };
}

function fieldsOf({ fields }: ModelDefinition): ReadonlySet<string> {
  return new Set(["id", "created_at", "updated_at", "deleted_at", ...fields.map(({ name }) => name)]);
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

const longestPath = 6;

/** Models with a path to a tenant (a model that a named condition is `on`) that no rule of the model mentions. */
export function forgottenTenants(
  definition: ServiceDefinition,
  models: readonly ModelDefinition[],
): AccessReport["forgets_tenant"] {
  const all = byKey(definition);
  const tenants = [...new Set(definition.conditions.map(({ on }) => on))];
  return models.flatMap((model) => {
    const conditions = ruledOperations.flatMap((ruled) => rulesOf(model, ruled));
    if (conditions.length === 0) return [];
    const mentioned = new Set(
      conditions.flatMap(({ condition }) =>
        condition === null ? [] : modelsIn(condition, model, model, all),
      ),
    );
    return tenants.flatMap((tenant) => {
      const path = tenant === model.key ? null : pathTo(model, tenant, all);
      return path === null || mentioned.has(tenant)
        ? []
        : [{ model: model.key, tenant, path: path.join(".") }];
    });
  });
}

/** The shortest path over `belongs_to` and `has_one`. Accounts belong to no tenant. */
function pathTo(model: ModelDefinition, tenant: string, all: Models): string[] | null {
  let paths: [ModelDefinition, string[]][] = [[model, []]];
  const seen = new Set([model.key]);
  for (let length = 0; length < longestPath; length++) {
    const next: [ModelDefinition, string[]][] = [];
    for (const [at, path] of paths)
      for (const relation of at.relations) {
        const target = all.get(relation.model);
        if (target === undefined || relation.kind === "has_many" || target.builtIn || seen.has(target.key))
          continue;
        if (target.key === tenant) return [...path, relation.name];
        seen.add(target.key);
        next.push([target, [...path, relation.name]]);
      }
    paths = next;
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
