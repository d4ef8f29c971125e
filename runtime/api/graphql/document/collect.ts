import { type FieldNode, Kind, type SelectionNode, type SelectionSetNode, type ValueNode } from "graphql";
import { oncePer } from "../../../core/concurrency/index.ts";
import type { Argument, Field, Selection } from "./document-fields.ts";
import { refuse } from "./document-problem.ts";
import type { Parsed } from "./parse-document.ts";

/** Whether a field or a fragment takes part. */
export type Keep = (node: SelectionNode) => boolean;

/** Fields of one response key, and what each of them selects. */
interface Group {
  readonly first: FieldNode;
  readonly sets: SelectionSetNode[];
}

/**
 * The fields of selection sets that lie on one object: fragments expanded, what is skipped left out, one response key
 * once. Errors: 400 `VALIDATION_ERROR` for two different fields under one key.
 */
export function collect(
  sets: readonly SelectionSetNode[],
  fragments: Parsed["fragments"],
  keep: Keep,
): Selection {
  const groups = new Map<string, Group>();
  const on = new Set<string>();

  const visit = ({ selections }: SelectionSetNode): void => {
    for (const node of selections) {
      if (!keep(node)) continue;
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
  const fields = [...groups].map(([key, group]) => toField(key, group, fragments, keep));
  return { fields, on: [...on] };
}

function toField(key: string, { first, sets }: Group, fragments: Parsed["fragments"], keep: Keep): Field {
  return {
    key,
    name: first.name.value,
    args: argumentsOf(first),
    selection: sets.length === 0 ? null : collect(sets, fragments, keep),
  };
}

/** One list for all places where a fragment brings the field to. */
const argumentsOf = oncePer((node: FieldNode): readonly Argument[] =>
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
  if (conflict !== null) throw refuse("query", `two fields answer as "${key}", but ${conflict}`);
  if (node.selectionSet !== undefined) group.sets.push(node.selectionSet);
}

function conflictOf({ first, sets }: Group, node: FieldNode): string | null {
  if (first.name.value !== node.name.value) return "they are different fields";
  if ((sets.length === 0) !== (node.selectionSet === undefined)) return "only one of them selects fields";
  if (!haveSameArguments(first, node)) return "their arguments differ";
  return null;
}

/** Whether two fields have the same arguments, in any order. */
function haveSameArguments(one: FieldNode, other: FieldNode): boolean {
  return one === other || argumentsText(one) === argumentsText(other);
}

/** A fragment is spread in many places: its arguments are read once all the same, however long they are. */
const argumentsText = oncePer((field: FieldNode): string =>
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
