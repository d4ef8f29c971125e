import type {
  CallerColumns,
  ConditionColumn,
  ConditionRelation,
  ConditionScope,
} from "../conditions/index.ts";
import { usersKey } from "../load/built-in-users.ts";
import { callerColumns } from "./caller-columns.ts";
import { hasColumn, type ModelGraph, type ModelNode } from "./model-graph.ts";
import { columnRules } from "./resolve-field.ts";

/** Scopes by node, as many models join the same few, and checks and resolution ask alike. A node belongs to one graph. */
const scopes = new WeakMap<ModelNode, ConditionScope>();

/** What row conditions of a model may name. Its parts are made when something asks for them. */
export function conditionScope(graph: ModelGraph, node: ModelNode): ConditionScope {
  const scope = scopes.get(node) ?? new ScopeOfModel(graph, node);
  scopes.set(node, scope);
  return scope;
}

const callers = new WeakMap<ModelGraph, CallerColumns>();

function callerOf(graph: ModelGraph): CallerColumns {
  const users = graph.get(usersKey);
  return callerColumns(users, users === undefined ? new Map() : conditionScope(graph, users).columns);
}

class ScopeOfModel implements ConditionScope {
  readonly model: string;
  readonly #graph: ModelGraph;
  readonly #node: ModelNode;
  #columns: ReadonlyMap<string, ConditionColumn> | null = null;
  #relations: ReadonlyMap<string, ConditionRelation> | null = null;

  constructor(graph: ModelGraph, node: ModelNode) {
    this.model = node.raw.key;
    this.#graph = graph;
    this.#node = node;
  }

  get columns(): ReadonlyMap<string, ConditionColumn> {
    this.#columns ??= columnsOf(this.#graph, this.#node);
    return this.#columns;
  }

  get relations(): ReadonlyMap<string, ConditionRelation> {
    this.#relations ??= relationsOf(this.#graph, this.#node);
    return this.#relations;
  }

  get collections(): ReadonlySet<string> {
    return new Set(this.#node.raw.fields.filter((field) => !hasColumn(field)).map((field) => field.name));
  }

  get caller(): CallerColumns {
    const known = callers.get(this.#graph) ?? callerOf(this.#graph);
    callers.set(this.#graph, known);
    return known;
  }

  *models(): Iterable<ConditionScope> {
    for (const node of this.#graph.values()) yield conditionScope(this.#graph, node);
  }
}

function columnsOf(graph: ModelGraph, node: ModelNode): ReadonlyMap<string, ConditionColumn> {
  return new Map([...node.kinds.keys()].map((name) => [name, columnRules(graph, node, name)]));
}

function relationsOf(graph: ModelGraph, node: ModelNode): ReadonlyMap<string, ConditionRelation> {
  const relations = new Map<string, ConditionRelation>();
  for (const { name, kind, field, model, references } of node.relations.values()) {
    const node = graph.get(model);
    if (node === undefined) continue;
    const relation = { name, kind, field, references, target: conditionScope(graph, node) };
    if (kind === "belongs_to") relations.set(field, relation);
    relations.set(name, relation);
  }
  return relations;
}
