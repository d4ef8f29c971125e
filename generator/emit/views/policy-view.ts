import type { FieldAccessDefinition, ModelDefinition, RuleDefinition } from "../../definition/definition.ts";
import { door, type Import } from "../file.ts";
import { literal, propertyName, stringLiteral } from "../literal.ts";
import { conditionCode } from "./condition-view.ts";
import { type LimitView, limitsView } from "./limits-view.ts";
import { ruleKey, ruleNames } from "./rule-names.ts";

/** What `templates/policy.hbs` prints: each distinct rule once, and one line an operation. */
export interface PolicyView {
  readonly imports: readonly Import[];
  readonly rules: readonly RuleView[];
  /** Names of rules, separated by commas. */
  readonly access: AccessView;
  readonly fields: readonly FieldRulesView[];
  readonly hasLimits: boolean;
  readonly limits: readonly LimitView[];
}

interface RuleView {
  readonly name: string;
  readonly role: string;
  readonly when: string | null;
}

interface AccessView {
  readonly fetch: string;
  readonly search: string;
  readonly count: string;
  readonly exists: string;
  readonly create: string;
  readonly update: string;
  readonly upsertInsert: string;
  readonly upsertUpdate: string;
  readonly delete: string;
  readonly destroy: string;
  readonly restore: string;
}

interface FieldRulesView {
  readonly name: string;
  readonly rules: string;
}

/** The view of `models/<key>/policy.ts`. */
export function policyView(model: ModelDefinition): PolicyView {
  const imports = new Set<string>();
  const { operations, upsert } = model.access;
  const names = ruleNames([...Object.values(operations), upsert.insert, upsert.update].flat());
  const nameOf = (rule: RuleDefinition) => names.get(ruleKey(rule)) ?? "";
  const rules = new Map<string, RuleView>();
  const access = accessView(model, (list) => {
    for (const rule of list) rules.set(nameOf(rule), ruleView(nameOf(rule), rule, imports));
    return [...new Set(list.map(nameOf))].join(", ");
  });
  const builders = [...imports].sort();
  const limits = limitsView(model);
  const hasLimits = limits.length > 0;
  return {
    imports: [
      { from: door("access"), names: ["definePolicy", ...builders] },
      ...(hasLimits ? [{ from: door("rate-limit"), names: ["defineLimits"] }] : []),
      { from: "./model.ts", names: ["model"], typeOnly: true },
    ],
    rules: [...rules.values()],
    access,
    fields: model.access.fields.map(fieldRules),
    hasLimits,
    limits,
  };
}

function accessView(
  { access }: ModelDefinition,
  names: (list: readonly RuleDefinition[]) => string,
): AccessView {
  const { operations, upsert } = access;
  return {
    fetch: names(operations.fetch),
    search: names(operations.search),
    count: names(operations.count),
    exists: names(operations.exists),
    create: names(operations.create),
    update: names(operations.update),
    upsertInsert: names(upsert.insert),
    upsertUpdate: names(upsert.update),
    delete: names(operations.delete),
    destroy: names(operations.destroy),
    restore: names(operations.restore),
  };
}

function ruleView(name: string, { role, condition }: RuleDefinition, imports: Set<string>): RuleView {
  return {
    name,
    role: stringLiteral(role),
    when: condition === null ? null : conditionCode(condition, imports),
  };
}

function fieldRules({ field, read, write }: FieldAccessDefinition): FieldRulesView {
  const rules = { ...(read === null ? {} : { read }), ...(write === null ? {} : { write }) };
  return { name: propertyName(field), rules: literal(rules) };
}
