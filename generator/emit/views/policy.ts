import type { FieldAccessDefinition, ModelDefinition, RuleDefinition } from "../../definition/definition.ts";
import { door, type Import } from "../file.ts";
import { literal, propertyName, stringLiteral } from "../literal.ts";
import { camelCase, identifiers, pascalCase } from "../names.ts";
import { conditionCode, conditionFields, conditionNames } from "./condition.ts";

/** What `templates/policy.hbs` prints: each distinct rule once, and one line an operation. */
export interface PolicyView {
  readonly imports: readonly Import[];
  readonly rules: readonly RuleView[];
  /** Names of rules, separated by commas. */
  readonly access: AccessView;
  readonly fields: readonly FieldRulesView[];
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
  const rules = new Map<string, RuleView>();
  const nameOf = identifiers([...conditionNames, "definePolicy", "model", "policy"], "role");
  const names = (list: readonly RuleDefinition[]) =>
    list.map((rule) => named(rule, rules, nameOf, imports).name).join(", ");
  const access = accessView(model, names);
  const builders = [...imports].sort();
  return {
    imports: [
      { from: door("access"), names: ["definePolicy", ...builders] },
      { from: "./model.ts", names: ["model"], typeOnly: true },
    ],
    rules: [...rules.values()],
    access,
    fields: model.access.fields.map(fieldRules),
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

function named(
  rule: RuleDefinition,
  rules: Map<string, RuleView>,
  nameOf: (candidate: string) => string,
  imports: Set<string>,
): RuleView {
  const key = JSON.stringify([rule.role, rule.condition]);
  const known = rules.get(key);
  if (known !== undefined) return known;
  const view: RuleView = {
    name: nameOf(candidateName(rule)),
    role: stringLiteral(rule.role),
    when: rule.condition === null ? null : conditionCode(rule.condition, imports),
  };
  rules.set(key, view);
  return view;
}

/** At most this many fields of a condition stand in the name of its rule. */
const namedFields = 3;

function candidateName(rule: RuleDefinition): string {
  const role = rule.role === "*" ? "everyone" : camelCase(rule.role);
  if (rule.condition === null) return role;
  const fields = conditionFields(rule.condition).slice(0, namedFields);
  return `${role}When${fields.map(pascalCase).join("And")}`;
}

function fieldRules({ field, read, write }: FieldAccessDefinition): FieldRulesView {
  const rules = { ...(read === null ? {} : { read }), ...(write === null ? {} : { write }) };
  return { name: propertyName(field), rules: literal(rules) };
}
