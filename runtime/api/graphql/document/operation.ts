import {
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from "graphql";
import { BoundedCache, weakMemo } from "../../../core/concurrency/index.ts";
import { measure } from "./complexity.ts";
import { type Limits, type Parsed, parseText, refuse } from "./parse-document.ts";
import { declareVariable, type VariableDeclaration, type Variables } from "./variables.ts";

type IsIncluded = (node: SelectionNode) => boolean;

/** Fields with the same response key, and their selections. */
interface Group {
  readonly first: FieldNode;
  readonly sets: SelectionSetNode[];
}

/**
 * The fields of selection sets on one object, with expanded fragments and merged response keys, and without
 * skipped fields. Errors: 400 `VALIDATION_ERROR` for two different fields with one key.
 */
function collect(
  sets: readonly SelectionSetNode[],
  fragments: Parsed["fragments"],
  isIncluded: IsIncluded,
): Selection {
  const groups = new Map<string, Group>();
  const on = new Set<string>();

  const visit = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (!isIncluded(node)) continue;
      if (node.kind === Kind.FIELD) {
        addTo(groups, node);
      } else {
        const fragment = node.kind === Kind.FRAGMENT_SPREAD ? fragments.get(node.name.value) : node;
        if (fragment === undefined) continue;
        if (fragment.typeCondition !== undefined) on.add(fragment.typeCondition.name.value);
        visit(fragment.selectionSet);
      }
    }
  };

  sets.forEach(visit);
  const fields = [...groups].map(([key, group]) => toField(key, group, fragments, isIncluded));
  return { fields, on: [...on] };
}

function toField(
  key: string,
  { first, sets }: Group,
  fragments: Parsed["fragments"],
  isIncluded: IsIncluded,
): Field {
  return {
    key,
    name: first.name.value,
    args: argumentsOf(first),
    selection: sets.length === 0 ? null : collect(sets, fragments, isIncluded),
  };
}

/** One list per node, for all places where a fragment is spread. */
const argumentsOf = weakMemo((node: FieldNode): readonly Argument[] =>
  (node.arguments ?? []).map(({ name, value }) => ({ name: name.value, value })),
);

function addTo(groups: Map<string, Group>, node: FieldNode): void {
  const key = node.alias?.value ?? node.name.value;
  const group = groups.get(key);
  if (group === undefined) {
    groups.set(key, { first: node, sets: node.selectionSet === undefined ? [] : [node.selectionSet] });
    return;
  }
  const conflict = conflictOf(group, node);
  if (conflict !== null) throw refuse("query", `two fields have the response key "${key}", but ${conflict}`);
  if (node.selectionSet !== undefined) group.sets.push(node.selectionSet);
}

function conflictOf({ first, sets }: Group, node: FieldNode): string | null {
  if (first.name.value !== node.name.value) return "they are different fields";
  if ((sets.length === 0) !== (node.selectionSet === undefined)) return "only one of them selects fields";
  if (!haveSameArguments(first, node)) return "their arguments differ";
  return null;
}

/** In any order. */
function haveSameArguments(one: FieldNode, other: FieldNode): boolean {
  return one === other || argumentsText(one) === argumentsText(other);
}

/** Read once, because a fragment can be spread in many places. */
const argumentsText = weakMemo((field: FieldNode): string =>
  (field.arguments ?? [])
    .map(({ name, value }) => `${name.value}:${valueText(value)}`)
    .sort()
    .join(),
);

function valueText(node: ValueNode): string {
  switch (node.kind) {
    case Kind.VARIABLE:
      return `$${node.name.value}`;
    case Kind.NULL:
      return "null";
    case Kind.STRING:
      return JSON.stringify(node.value);
    case Kind.LIST:
      return `[${node.values.map(valueText).join()}]`;
    case Kind.OBJECT:
      return `{${node.fields
        .map(({ name, value }) => `${name.value}:${valueText(value)}`)
        .sort()
        .join()}}`;
    default:
      return String(node.value);
  }
}

/** The variables of `@skip` and `@include` must be Booleans. Errors: 400 `VALIDATION_ERROR`. */
function requireBooleans(names: readonly string[], declared: readonly VariableDeclaration[]): void {
  for (const { name, type, typeName } of declared) {
    const inner = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
    if (names.includes(name) && (typeName !== "Boolean" || inner.kind !== Kind.NAMED_TYPE)) {
      throw refuse(name, "must be a Boolean, since @skip or @include uses it");
    }
  }
}

/** Errors: 400 if a variable is missing or null. */
function readConditions(names: readonly string[], variables: Variables): ReadonlyMap<string, boolean> {
  const conditions = new Map<string, boolean>();
  for (const name of names) {
    const value = variables.value(name);
    if (typeof value !== "boolean")
      throw refuse(name, "must be true or false, since @skip or @include uses it");
    conditions.set(name, value);
  }
  return conditions;
}

/** Evaluates `@skip` and `@include`. */
function includedBy(conditions: ReadonlyMap<string, boolean>): IsIncluded {
  return ({ directives = [] }: SelectionNode) =>
    directives.every(({ name, arguments: args = [] }) => {
      const value = args[0]?.value;
      const met = value?.kind === Kind.VARIABLE ? conditions.get(value.name.value) : isTrue(value);
      return (name.value === "include") === met;
    });
}

function isTrue(node: { readonly kind: Kind; readonly value?: unknown } | undefined): boolean {
  return node?.kind === Kind.BOOLEAN && node.value === true;
}

/** One operation of a document, with all checks that need no model. */
export interface Operation {
  readonly kind: "query" | "mutation";
  readonly variables: readonly VariableDeclaration[];
  /**
   * The fields after `@skip` and `@include`. While it is cached, the same conditions give the same object, so
   * plans can be cached with it. Errors: 400 for a condition that is not a Boolean.
   */
  readonly collect: (variables: Variables) => Selection;
}

interface OperationSettings {
  readonly limits: Limits;
  readonly selections: BoundedCache<Selection>;
}

/** The operation with this name, or the only one. Errors: 400 `VALIDATION_ERROR`. */
function chooseOperation({ operations }: Parsed, name: string | null): OperationDefinitionNode {
  if (name !== null) {
    const named = operations.find((operation) => operation.name?.value === name);
    if (named === undefined) throw refuse("operationName", "is not the name of an operation in the query");
    return named;
  }
  const [only, ...others] = operations;
  if (only === undefined) throw refuse("query", "has no operation");
  if (others.length > 0) throw refuse("operationName", "is required, since the query has several operations");
  return only;
}

/** Characters that take about as much memory as a selected field. */
const charactersOfField = 100;

let operationsMade = 0;

/** Checks an operation against the limits and prepares it. Errors: 400 `VALIDATION_ERROR`. */
function makeOperation(
  node: OperationDefinitionNode,
  fragments: Parsed["fragments"],
  { limits, selections }: OperationSettings,
): Operation {
  const { complexity, literals, conditions } = measure(node, fragments, limits);
  const variables = (node.variableDefinitions ?? []).map(declareVariable);
  requireBooleans(conditions, variables);
  // Rejects conflicting fields, even if a condition excludes one of them.
  collect([node.selectionSet], fragments, () => true);
  const id = String(++operationsMade);
  // Arguments are cached with the fields.
  const weight = complexity + Math.ceil(literals / charactersOfField);
  return {
    kind: node.operation === "mutation" ? "mutation" : "query",
    variables,
    collect: (values) => {
      const met = readConditions(conditions, values);
      const key = met.size === 0 ? id : `${id} ${[...met.values()].join()}`;
      const known = selections.get(key);
      if (known !== undefined) return known;
      return selections.add(key, collect([node.selectionSet], fragments, includedBy(met)), weight);
    },
  };
}

/** An argument in the document; `argumentValue` reads it. */
export interface Argument {
  readonly name: string;
  readonly value: ValueNode;
}

/** A selected field; fields with the same response key are merged. */
export interface Field {
  /** The response key: the alias, else the name. */
  readonly key: string;
  readonly name: string;
  /** In the order of the text. */
  readonly args: readonly Argument[];
  /** Null if the field has no selection. Empty if all of it is skipped. */
  readonly selection: Selection | null;
}

/** The fields of one object, and the types that its fragments name in `on`. */
export interface Selection {
  readonly fields: readonly Field[];
  readonly on: readonly string[];
}

interface Known {
  readonly parsed: Parsed;
  /** By the requested name. */
  readonly operations: Map<string | null, Operation>;
}

/** Approximate, of a parsed token. */
const bytesOfToken = 250;

/** Callers choose the texts, so memory is limited: about 32 MB of documents, and 100,000 selected fields. */
const capacity = {
  documents: { entries: 1_000, weight: 32_000_000 },
  selections: { entries: 5_000, weight: 100_000 },
};

/** The documents of one service. Each is parsed and checked once while it is cached. */
export class Documents {
  readonly #settings: OperationSettings;
  readonly #documents = new BoundedCache<Known>(capacity.documents);

  constructor(limits: Limits) {
    this.#settings = { limits, selections: new BoundedCache<Selection>(capacity.selections) };
  }

  /**
   * Errors: 400 `VALIDATION_ERROR` with `details.field` (`query`, `operationName` or a variable); 403
   * `PERMISSION_DENIED` for introspection.
   */
  operation(text: string, operationName: string | null): Operation {
    const { parsed, operations } = this.#documents.get(text) ?? this.#read(text);
    const known = operations.get(operationName);
    if (known !== undefined) return known;
    const node = chooseOperation(parsed, operationName);
    const made = makeOperation(node, parsed.fragments, this.#settings);
    operations.set(operationName, made);
    return made;
  }

  #read(text: string): Known {
    const parsed = parseText(text);
    const weight = text.length + parsed.tokens * bytesOfToken;
    return this.#documents.add(text, { parsed, operations: new Map() }, weight);
  }
}
