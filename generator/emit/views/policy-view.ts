import {
  fallbackPhrase,
  modelOperations,
  type Operation,
  operations,
} from "../../../vocabulary/operations.ts";
import type {
  FieldAccessDefinition,
  LimitDefinition,
  ModelDefinition,
  RuleDefinition,
} from "../../definition/definition.ts";
import type { WrittenCondition } from "../../definition/written-condition.ts";
import { type Import, importFromKirak } from "../file.ts";
import { literal, propertyName } from "../literal.ts";
import { camelCase, identifiers } from "../typescript-names.ts";
import { anyOf, builderNames, type ConditionImports, conditionCode, constantOf } from "./condition-view.ts";
import type { EntryView } from "./model-view.ts";
import { modelsOnTheWay } from "./models-on-the-way.ts";
import { hasRoutes } from "./operations-view.ts";
import { extendsUsers } from "./users-extension.ts";

/** The view of `templates/policy.hbs`: the roles of each operation, and their rows. */
export interface PolicyView {
  readonly imports: readonly Import[];
  /** The types that check its names: the model, and the models on the paths of its rules. */
  readonly types: string;
  readonly operations: readonly OperationRulesView[];
  readonly fields: readonly EntryView[];
  readonly hasLimits: boolean;
  readonly limits: readonly LimitView[];
}

interface OperationRulesView {
  readonly operation: Operation;
  readonly rules: string;
}

type Rules = readonly RuleDefinition[];

/** The view of `models/<key>/policy.ts`. */
export function policyView(model: ModelDefinition, models: readonly ModelDefinition[]): PolicyView {
  const imports = { builders: new Set<string>(), conditions: new Set<string>() };
  const printed: Rules[] = [];
  const rules = operationRules(model, (list) => {
    printed.push(list);
    return rulesCode(list, imports);
  });
  const way = relationPathView(
    model,
    printed.flat().flatMap(({ written }) => written ?? []),
    { models, imports, folder: ".." },
  );
  const limits = limitsView(model);
  const hasLimits = limits.length > 0;
  return {
    imports: [
      { from: importFromKirak("access"), names: ["definePolicy", ...[...imports.builders].sort()] },
      ...(hasLimits ? [{ from: importFromKirak("rate-limit"), names: ["defineLimits"] }] : []),
      ...conditionsImport("../../conditions.ts", imports),
      ...way.imports,
      { from: "./model.ts", names: ["model"], typeOnly: true },
    ],
    types: way.models.length === 0 ? "typeof model" : `typeof model, { ${way.models.join("; ")} }`,
    operations: rules,
    fields: model.access.fields.map(fieldRules),
    hasLimits,
    limits,
  };
}

/**
 * Rules are repeated inline, even if another operation has the same rules: a change of one operation then
 * changes only its lines. An operation without an entry names the operation whose rules apply.
 */
function operationRules({ access }: ModelDefinition, code: (rules: Rules) => string): OperationRulesView[] {
  const inherited = new Map<Operation, string>(
    access.fallbacks.map((operation) => [operation, fallbackPhrase(operation)]),
  );
  return operations.map((operation) => {
    const fallback = inherited.get(operation);
    if (fallback !== undefined) return { operation, rules: literal(fallback) };
    // The upsert's own entry applies to inserts and updates.
    return {
      operation,
      rules: code(operation === "upsert" ? access.upsert.update : access.operations[operation]),
    };
  });
}

/** Prints rules by role: one role per line, or all on one line if no rule has a condition or fields. */
function rulesCode(rules: Rules, imports: ConditionImports): string {
  const roles = [...new Set(rules.map(({ role }) => role))];
  const rows = roles.map((role) => parts(rules.filter((rule) => rule.role === role)));
  const code = ({ fields, rows: opened }: PartView) => {
    const text = opened === null ? "true" : conditionCode(opened, imports);
    return fields === null ? text : `{ fields: ${literal(fields)}, rows: ${text} }`;
  };
  const lines = roles.map((role, index) => {
    const printed = (rows[index] ?? []).map(code);
    const [only = "", ...others] = printed;
    return `${propertyName(role)}: ${others.length === 0 ? only : `[\n${printed.join(",\n")}]`}`;
  });
  if (rows.flat().every((part) => part.fields === null && part.rows === null))
    return `{ ${lines.join(", ")} }`;
  // The formatter keeps the line break before the first role, and then puts each role on its own line.
  return `{\n${lines.join(",\n")} }`;
}

/** The rows that rules of one role with the same fields open together; null for all. */
interface PartView {
  readonly fields: readonly string[] | null;
  readonly rows: WrittenCondition | null;
}

/** The rules of one role: those without fields as one, then each with fields. */
function parts(rules: Rules): PartView[] {
  const plain = rules.filter(({ fields }) => fields === null);
  const named = rules.filter(({ fields }) => fields !== null);
  return [
    ...(plain.length === 0 ? [] : [{ fields: null, rows: rowsOf(plain) }]),
    ...named.map(({ fields, written }) => ({ fields, rows: written })),
  ];
}

/** The rows that rules open together; null for all. */
function rowsOf(rules: Rules): WrittenCondition | null {
  const conditions = rules.flatMap(({ written }) => (written === null ? [] : [written]));
  return conditions.length < rules.length ? null : anyOf(conditions);
}

/** The roles that can read and write a field. */
export function fieldRules({ field, read, write }: FieldAccessDefinition): EntryView {
  const rules = { ...(read === null ? {} : { read }), ...(write === null ? {} : { write }) };
  return { name: propertyName(field), literal: literal(rules) };
}

/** A rate limit of a model, as `policy.ts` prints it. */
export interface LimitView {
  readonly operation: Operation | "default";
  readonly limit: string;
}

/** The rate limits of a model: for all operations, then for single ones. The server reads the limits of the manifest at start. */
export function limitsView(model: ModelDefinition): LimitView[] {
  if (!hasRoutes(model)) return [];
  const limits = modelOperations(model).map((operation) => ({ operation, limit: model.limits[operation] }));
  const shared = limits.filter(({ limit: { origin } }) => origin === "default" || origin === "model");
  const own = limits.filter(({ limit: { origin } }) => origin === "entry");
  return [
    ...shared.slice(0, 1).map(({ limit }) => ({ operation: "default" as const, limit: literalOf(limit) })),
    ...own.map(({ operation, limit }) => ({ operation, limit: literalOf(limit) })),
  ];
}

function literalOf({ limit }: LimitDefinition): string {
  if (limit === null) return literal("off");
  const { maxRequests, windowSeconds, per } = limit;
  return literal({ maxRequests, windowSeconds, per });
}

/** Whether `policy.ts` exports limits. */
export function hasLimits(model: ModelDefinition): boolean {
  return limitsView(model).length > 0;
}

/** The models on the paths of rules, for the types of a policy. */
interface RelationPathView {
  readonly imports: readonly Import[];
  /** Properties of a type, such as `orders: typeof orders`. */
  readonly models: readonly string[];
}

/** Names in `policy.ts` that imports of models cannot have. */
const taken = [...builderNames, "defineLimits", "definePolicy", "limits", "model", "policy"];

/** The view of the models on the paths of conditions, without the model that has the rules. */
export function relationPathView(
  model: ModelDefinition,
  conditions: readonly WrittenCondition[],
  { models, imports, folder }: ImportingFile,
): RelationPathView {
  const nameOf = identifiers([...taken, ...[...imports.conditions].map(constantOf)], "model");
  const entries = modelsOnTheWay(model, conditions, models).map((each) => ({
    model: each,
    name: nameOf(camelCase(each.key)),
  }));
  return {
    imports: entries.map(({ model: each, name }) => importOf(each, name, folder)),
    models: entries.map(({ model: { key }, name }) => `${propertyName(key)}: typeof ${name}`),
  };
}

/** The file that imports the models: what else it imports, and the folder of the models from there. */
interface ImportingFile {
  readonly models: readonly ModelDefinition[];
  readonly imports: ConditionImports;
  readonly folder: string;
}

/** The import of the constants of named conditions. */
function conditionsImport(from: string, { conditions }: ConditionImports): Import[] {
  return conditions.size === 0 ? [] : [{ from, names: [...conditions].map(constantOf).sort() }];
}

export function importOf(model: ModelDefinition, name: string, folder: string): Import {
  const [from, exported] =
    model.builtIn && !extendsUsers(model)
      ? [importFromKirak("users"), "builtInUsers"]
      : [`${folder}/${model.key}/model.ts`, "model"];
  return { from, names: [exported === name ? name : `${exported} as ${name}`], typeOnly: true };
}
