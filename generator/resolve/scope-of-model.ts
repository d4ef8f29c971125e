import { administratorRoles } from "../../vocabulary/accounts/role-names.ts";
import { isUserField } from "../../vocabulary/accounts/user-fields.ts";
import { rowOfDbType } from "../../vocabulary/fields/db-types.ts";
import { didYouMean } from "../../vocabulary/nearest.ts";
import {
  type CallerColumns,
  type ConditionColumn,
  type ConditionRelation,
  claimOf,
  type NamedCondition,
  namesOf,
  parseCondition,
  type ScopeModel,
} from "../conditions/index.ts";
import { usersKey } from "../load/built-in-users.ts";
import type { RawCondition, RawFieldAccess } from "../load/raw.ts";
import { hasColumn, type ModelGraph, type ModelNode } from "./model-graph.ts";
import { columnRules } from "./resolve-field.ts";
import { dbTypeOf } from "./resolve-stored.ts";

/** Built-in columns of `users` that callers cannot set for themselves. */
const trusted: readonly string[] = ["role", "is_active", "is_verified", "created_at"];

/** The columns of `users` that conditions can use: those that callers cannot set for themselves. */
function callerColumns(
  users: ModelNode | undefined,
  columns: ReadonlyMap<string, ConditionColumn>,
): CallerColumns {
  const writers = new Map(users?.raw.access.fields.map((entry) => [entry.field.value, rolesOf(entry)]));
  const isAllowed = (name: string, { kind }: ConditionColumn) =>
    trusted.includes(name) ||
    (kind !== "password" && isAppField(users, name) && (writers.get(name) ?? []).length === 0);
  const allowed = new Map([...columns].filter(([name, column]) => isAllowed(name, column)));
  const all = `allowed columns are ${[...allowed.keys()].map((name) => `{user.${name}}`).join(", ")}`;
  return {
    allowed,
    refusal: (name) => {
      const roles = writers.get(name) ?? [];
      const isThere = users?.kinds.has(name) === true;
      const near = isThere ? null : didYouMean(name, allowed.keys());
      return { reason: reason(name, users, roles), hint: hintOf(name, users, roles) ?? near ?? all };
    },
  };
}

/** The roles that write a column of their own row. Administrators cannot: docs/account-administration.md. */
function rolesOf({ write }: RawFieldAccess): readonly string[] {
  return (write ?? []).map(({ value }) => value).filter((role) => !administratorRoles.includes(role));
}

function isAppField(users: ModelNode | undefined, name: string): boolean {
  return users?.fields.has(name) === true && !isUserField(name);
}

function reason(name: string, users: ModelNode | undefined, writers: readonly string[]): string {
  const kind = users?.kinds.get(name);
  if (users?.relations.has(name) === true && kind === undefined) return "it is a relation, not a column";
  if (kind === undefined) return '"users" has no such field';
  if (kind === "password") return "it is a password";
  if (name === "id") return "it is in the credential";
  if (!isAppField(users, name)) return "the caller can change it";
  const roles = writers.map((role) => JSON.stringify(role)).join(", ");
  return `"access.fields" of "users" lets ${roles} write it, so callers can set it for themselves`;
}

function hintOf(name: string, users: ModelNode | undefined, writers: readonly string[]): string | null {
  const claim = claimOf.get(name);
  if (claim !== undefined) return `write ${claim}`;
  const relation = users?.relations.get(name);
  if (relation?.kind === "belongs_to" && relation.field !== name) return `write {user.${relation.field}}`;
  return isAppField(users, name) && writers.length > 0
    ? 'use a field that only "admin", "system" and "superadmin" write'
    : null;
}

/** Cache by node: many models join the same models, and several stages need the scopes. A node belongs to one graph. */
const scopes = new WeakMap<ModelNode, ScopeModel>();

/** The names that row conditions of a model can use. Its parts are computed lazily. */
export function conditionScope(graph: ModelGraph, node: ModelNode): ScopeModel {
  const scope = scopes.get(node) ?? new ScopeOfModel(graph, node);
  scopes.set(node, scope);
  return scope;
}

const callers = new WeakMap<ModelGraph, CallerColumns>();

function callerOf(graph: ModelGraph): CallerColumns {
  const users = graph.get(usersKey);
  return callerColumns(users, users === undefined ? new Map() : conditionScope(graph, users).columns);
}

const named = new WeakMap<ModelGraph, ReadonlyMap<string, NamedCondition>>();

/** The definitions of `$conditions`, by name. */
export function namedConditions(graph: ModelGraph): ReadonlyMap<string, NamedCondition> {
  const known =
    named.get(graph) ?? new Map([...graph.conditions].map(([name, raw]) => [name, namedOf(graph, raw)]));
  named.set(graph, known);
  return known;
}

function namedOf(graph: ModelGraph, { name, on, condition }: RawCondition): NamedCondition {
  const node = graph.get(on.value);
  const text = condition.value;
  if (node === undefined) return { name, on: null, text, expression: null };
  const scope = conditionScope(graph, node);
  const parsed = parseCondition(text, namesOf(scope));
  return { name, on: scope, text, expression: "problem" in parsed ? null : parsed.expression };
}

class ScopeOfModel implements ScopeModel {
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

  get conditions(): ReadonlyMap<string, NamedCondition> {
    return namedConditions(this.#graph);
  }

  *models(): Iterable<ScopeModel> {
    for (const node of this.#graph.values()) yield conditionScope(this.#graph, node);
  }
}

function columnsOf(graph: ModelGraph, node: ModelNode): ReadonlyMap<string, ConditionColumn> {
  return new Map([...node.kinds.keys()].map((name) => [name, columnOfScope(graph, node, name)]));
}

/** A column of a type such as `inet` has fewer operators than its kind. */
function columnOfScope(graph: ModelGraph, node: ModelNode, name: string): ConditionColumn {
  const rules = columnRules(graph, node, name);
  const type = rules.kind === null ? null : dbTypeOf(graph, node, name);
  const compared = type === null || type.isList ? undefined : rowOfDbType(type)?.compared;
  return compared === undefined ? rules : { ...rules, compared };
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
