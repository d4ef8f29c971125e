import type { Condition } from "../../../vocabulary/conditions/conditions.ts";
import { fallbackPhrase, type Operation, operations } from "../../../vocabulary/operations.ts";
import type {
  FieldAccessDefinition,
  LimitDefinition,
  ModelDefinition,
  RuleDefinition,
} from "../../definition/definition.ts";
import { type Import, importFromKirak } from "../file.ts";
import { literal, propertyName } from "../literal.ts";
import { anyOf, conditionCode } from "./condition-view.ts";
import type { EntryView } from "./model-view.ts";
import { hasRoutes, operationsOf } from "./operations-view.ts";
import { relationPathView } from "./relation-path-view.ts";

/** What `templates/policy.hbs` prints: who may run each operation, and on which rows. */
export interface PolicyView {
  readonly imports: readonly Import[];
  /** The types that its names are checked by: the model, and those that rules go over. */
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
  const imports = new Set<string>();
  const printed: Rules[] = [];
  const rules = operationRules(model, (list) => {
    printed.push(list);
    return rulesCode(list, imports);
  });
  const way = relationPathView(
    model,
    printed.flat().flatMap(({ condition }) => condition ?? []),
    models,
  );
  const limits = limitsView(model);
  const hasLimits = limits.length > 0;
  return {
    imports: [
      { from: importFromKirak("access"), names: ["definePolicy", ...[...imports].sort()] },
      ...(hasLimits ? [{ from: importFromKirak("rate-limit"), names: ["defineLimits"] }] : []),
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

/** Prints rules by role: a role a line, but all on one where none has a condition. */
function rulesCode(rules: Rules, imports: Set<string>): string {
  const roles = [...new Set(rules.map(({ role }) => role))];
  const rows = roles.map((role) => rowsOf(rules.filter((rule) => rule.role === role)));
  const lines = roles.map((role, index) => {
    const condition = rows[index] ?? null;
    return `${propertyName(role)}: ${condition === null ? true : conditionCode(condition, imports)}`;
  });
  if (rows.every((condition) => condition === null)) return `{ ${lines.join(", ")} }`;
  // The formatter keeps the line break before the first role, and then gives each a line.
  return `{\n${lines.join(",\n")} }`;
}

/** The rows that the rules of one role open together; null for all. */
function rowsOf(rules: Rules): Condition | null {
  const conditions = rules.flatMap(({ condition }) => (condition === null ? [] : [condition]));
  return conditions.length < rules.length ? null : anyOf(conditions);
}

/** Who reads and writes a field. */
export function fieldRules({ field, read, write }: FieldAccessDefinition): EntryView {
  const rules = { ...(read === null ? {} : { read }), ...(write === null ? {} : { write }) };
  return { name: propertyName(field), literal: literal(rules) };
}

/** A limit that a model has of its own, as `policy.ts` prints it. */
export interface LimitView {
  readonly operation: Operation | "default";
  readonly limit: string;
}

/** The limits of a model's own, of all operations and then of single ones; a server reads those of the manifest when it starts. */
export function limitsView(model: ModelDefinition): LimitView[] {
  if (!hasRoutes(model)) return [];
  const limits = operationsOf(model).map((operation) => ({ operation, limit: model.limits[operation] }));
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
