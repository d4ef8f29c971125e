import { isUserField } from "../../vocabulary/user-fields.ts";
import type {
  CallerColumns,
  ConditionColumn,
  ConditionRelation,
  ConditionScope,
} from "../conditions/index.ts";
import { usersKey } from "../load/built-in-users.ts";
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
    return callerColumns(this.#graph);
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

/** Built-in columns of `users` that nobody sets for himself (decisions, part 4). */
const trusted: readonly string[] = ["role", "is_active", "is_verified", "created_at"];

function callerColumns(graph: ModelGraph): CallerColumns {
  const node = graph.get(usersKey);
  const columns = node === undefined ? new Map<string, ConditionColumn>() : columnsOf(graph, node);
  const written = new Set(
    node?.raw.access.fields.filter(({ write }) => (write ?? []).length > 0).map(({ field }) => field.value),
  );
  const isOwn = (name: string) => node?.fields.has(name) === true && !isUserField(name);
  const isAllowed = (name: string) => trusted.includes(name) || (isOwn(name) && !written.has(name));
  return {
    allowed: new Map([...columns].filter(([name, { kind }]) => isAllowed(name) && kind !== "password")),
    refusal: (name) => ({ message: `{user.${name}} cannot be used in a condition`, hint: null }),
  };
}
