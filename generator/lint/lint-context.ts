import type { Condition } from "../../vocabulary/conditions/conditions.ts";
import { allOperations, type Operation } from "../../vocabulary/operations.ts";
import {
  type ConditionExpression,
  compileCondition,
  namesOf,
  parseCondition,
  rootScope,
  type ScopeModel,
  withoutCalls,
} from "../conditions/index.ts";
import type { ModelDefinition, ServiceDefinition } from "../definition/definition.ts";
import type { ReportDiagnostic, Sources } from "../diagnostics/index.ts";
import type { RawManifest, RawModel, RawOperationAccess, RawRoute } from "../load/raw.ts";
import type { Located } from "../load/read.ts";
import type { ModelHooks } from "../load/read-hooks.ts";
import type { ModelGraph, ModelNode } from "../resolve/model-graph.ts";
import { operationsOfAll } from "../resolve/operations-of-model.ts";
import { conditionScope } from "../resolve/scope-of-model.ts";

/** The input of `lintService`: it has passed all checks. */
export interface LintInput {
  readonly graph: ModelGraph;
  readonly definition: ServiceDefinition;
  readonly manifest: RawManifest;
  readonly sources: Sources;
  /** Code and SQL that users write next to their models. */
  readonly code: Sources;
  /** The hook files of models. */
  readonly modelHooks: ModelHooks;
  /** Custom routes. */
  readonly routes: readonly RawRoute[];
  /** Whether to propose names for repeated conditions. */
  readonly proposeNames: boolean;
  readonly report: ReportDiagnostic;
}

/** The input of the rules. */
export interface LintContext extends LintInput {
  /** Models with routes, in declared order. Internal models have none. */
  readonly models: readonly LintedModel[];
  /** All models by key, internal ones included. */
  readonly definitions: ReadonlyMap<string, ModelDefinition>;
}

export interface LintedModel {
  readonly node: ModelNode;
  readonly definition: ModelDefinition;
  readonly scope: ScopeModel;
  readonly rules: readonly LintedRule[];
}

/** A rule as declared, with its position and its compiled condition. */
export interface LintedRule {
  readonly operation: Operation;
  /** Whether the rule counts only for writes of some fields. */
  readonly namesFields: boolean;
  readonly role: Located<string>;
  /** The list of roles that declares it, its own role included. */
  readonly list: readonly string[];
  readonly text: Located<string> | null;
  readonly condition: Condition | null;
}

/** Joins declarations with their definitions and compiled conditions. */
export function lintContext(input: LintInput): LintContext {
  const definitions = new Map(input.definition.models.map((model) => [model.key, model]));
  const models = [...input.graph.values()].flatMap((node) => {
    const definition = definitions.get(node.raw.key);
    return definition === undefined || definition.internal ? [] : [linted(input.graph, node, definition)];
  });
  return { ...input, report: once(input.report), models, definitions };
}

/** Drops repeated findings: a list of roles makes several rules with the same problem. */
function once(report: ReportDiagnostic): ReportDiagnostic {
  const reported = new Set<string>();
  return (code, at, message, ...rest) => {
    const finding = JSON.stringify([code, at, message]);
    if (!reported.has(finding)) report(code, at, message, ...rest);
    reported.add(finding);
  };
}

function linted(graph: ModelGraph, node: ModelNode, definition: ModelDefinition): LintedModel {
  const scope = conditionScope(graph, node);
  const rules = rulesByOperation(node.raw).flatMap(([operation, entry]) => {
    // Without soft delete the route is 404 for everyone.
    if (operation === "restore" && !definition.softDelete) return [];
    return entry.rules.map(({ role, list, condition: text, fields }) => {
      const condition = text === null ? null : compileCondition(text.value, scope).condition;
      return { operation, role, list, text, condition, namesFields: fields !== null };
    });
  });
  return { node, definition, scope, rules };
}

/** The entries of operations, and the one of `$all` for each operation that it opens. */
function rulesByOperation(raw: RawModel): (readonly [Operation, RawOperationAccess])[] {
  return [...raw.access.operations].flatMap(([key, entry]) =>
    (key === allOperations ? operationsOfAll(raw) : [key]).map((operation) => [operation, entry] as const),
  );
}

/** A model with the rules by which callers read its rows. */
export interface ReadModel extends Pick<LintedModel, "node" | "definition" | "rules"> {
  /** For an internal model: the public models whose joins lead to it. */
  readonly from: readonly string[];
}

/** All models whose rows callers can read: public models, and internal models that their joins lead to. */
export function modelsOfRules({ graph, definitions, models }: LintContext): ReadModel[] {
  const joined = new Map<string, LintedModel[]>();
  for (const model of models)
    for (const key of internalBeyond(model.definition, definitions))
      joined.set(key, [...(joined.get(key) ?? []), model]);
  const internal = [...joined].flatMap(([key, origins]): ReadModel[] => {
    const [node, definition] = [graph.get(key), definitions.get(key)];
    if (node === undefined || definition === undefined) return [];
    const rules = origins.flatMap((origin) =>
      origin.rules.filter(({ operation }) => operation === "fetch" || operation === "search"),
    );
    return [{ node, definition, rules, from: origins.map((origin) => origin.definition.key) }];
  });
  return [...models.map((model) => ({ ...model, from: [] })), ...internal];
}

/** Internal models that relations lead to, also through other internal models. */
function internalBeyond(
  start: ModelDefinition,
  definitions: LintContext["definitions"],
  seen = new Set<string>(),
): ReadonlySet<string> {
  for (const relation of start.relations) {
    const target = definitions.get(relation.model);
    if (target === undefined || !target.internal || seen.has(target.key)) continue;
    seen.add(target.key);
    internalBeyond(target, definitions, seen);
  }
  return seen;
}

/** The parsed condition of a rule, with what its calls mean; null if it has none, or one with a syntax error. */
export function expressionOf({ text }: LintedRule, scope: LintedModel["scope"]): ConditionExpression | null {
  const parsed = text === null ? null : parseCondition(text.value, namesOf(scope));
  return parsed === null || "problem" in parsed ? null : withoutCalls(parsed.expression, rootScope(scope));
}
