import type { ConditionColumn, ConditionJoin, ConditionScope } from "../conditions/index.ts";
import { hasColumn, type ModelGraph, type ModelNode } from "./model-graph.ts";
import { columnRules } from "./resolve-field.ts";

/** The fields that row conditions of a model may use. */
export function conditionScope(graph: ModelGraph, node: ModelNode): ConditionScope {
  const joins = new Map<string, ConditionJoin>();
  for (const relation of node.relations.values()) {
    const target = graph.get(relation.model);
    if (relation.kind !== "belongs_to" || target === undefined) continue;
    const join = { name: relation.name, model: relation.model, columns: columnsOf(graph, target) };
    joins.set(relation.field, join);
    joins.set(relation.name, join);
  }
  const collections = node.raw.fields.filter((field) => !hasColumn(field)).map((field) => field.name);
  return { model: node.raw.key, columns: columnsOf(graph, node), joins, collections: new Set(collections) };
}

/** Many models join the same few, and checks and resolution ask alike. A node belongs to one graph. */
const known = new WeakMap<ModelNode, ReadonlyMap<string, ConditionColumn>>();

function columnsOf(graph: ModelGraph, node: ModelNode): ReadonlyMap<string, ConditionColumn> {
  const columns =
    known.get(node) ?? new Map([...node.kinds.keys()].map((name) => [name, columnRules(graph, node, name)]));
  known.set(node, columns);
  return columns;
}
