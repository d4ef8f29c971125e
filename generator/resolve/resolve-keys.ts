import type { KeyDefinition } from "../definition/definition.ts";
import type { indexNamer } from "../definition/names.ts";
import { formOf, type ModelNode } from "./model-graph.ts";
import { tableOf } from "./resolve-field.ts";

type Namer = ReturnType<typeof indexNamer>;

/** Field lists of the unique keys: unique fields in declared order, then the composite ones, each once. */
function uniqueLists(node: ModelNode): string[][] {
  const fields = node.raw.fields.filter((field) => field.unique).map((field) => [field.name]);
  return distinct([...fields, ...node.raw.unique.map((list) => list.fields.map(({ value }) => value))]);
}

/**
 * Settles unique keys and indexes of a model. A foreign key gets an index unless a unique key or a declared index begins with
 * its column, so that joins and `on_delete` find the rows.
 */
export function resolveKeys(
  node: ModelNode,
  name: Namer,
): { uniqueKeys: KeyDefinition[]; indexes: KeyDefinition[] } {
  const table = tableOf(node);
  const unique = uniqueLists(node);
  const single = node.raw.fields.filter((field) => field.index).map((field) => [field.name]);
  const declared = [...single, ...node.raw.indexes.map((list) => list.fields.map(({ value }) => value))];
  // With soft delete a unique index holds live rows alone, so that a foreign key cannot use it.
  const first = new Set([...(node.raw.softDelete ? [] : unique), ...declared].map(([field]) => field));
  const references = node.raw.fields
    .filter((field) => formOf(field) === "belongs_to" && !first.has(field.name))
    .map((field) => [field.name]);
  return {
    uniqueKeys: unique.map((fields) => ({ name: name([table, ...fields], "key"), fields })),
    indexes: distinct([...declared, ...references]).map((fields) => ({
      name: name([table, ...fields], "idx"),
      fields,
    })),
  };
}

function distinct(lists: readonly string[][]): string[][] {
  return [...new Map(lists.map((list) => [list.join(), list])).values()];
}
