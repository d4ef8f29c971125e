import type { ModelDefinition } from "../definition/definition.ts";
import { builtInFile } from "../load/built-in-users.ts";
import type { ModelNode } from "../resolve/model-graph.ts";

/** The fields that an index or a unique key begins with. */
export function leadingFields({ uniqueKeys, indexes }: ModelDefinition): ReadonlySet<string> {
  return new Set(["id", ...[...uniqueKeys, ...indexes].flatMap(({ fields }) => fields.slice(0, 1))]);
}

/** Whether an index or a unique key begins with both fields, in either order. */
export function hasPair({ uniqueKeys, indexes }: ModelDefinition, one: string, other: string): boolean {
  const pairs = [...uniqueKeys, ...indexes].map(({ fields }) => fields.slice(0, 2));
  return pairs.some((pair) => pair.includes(one) && pair.includes(other));
}

/** What to write for an index on these columns: a key of the field, or the model's list of them. */
export function indexLine(node: ModelNode | undefined, columns: readonly string[]): string {
  const [only = "", ...more] = columns;
  const field = node?.fields.get(only);
  const model = JSON.stringify(node?.raw.key ?? "");
  if (more.length === 0 && field !== undefined && field.at.file !== builtInFile)
    return `"index": true to the field "${only}" of ${model}`;
  const lists = [...(node?.raw.indexes ?? []).map(({ fields }) => fields.map(({ value }) => value)), columns];
  const shown = lists.map((list) => `[${list.map((name) => JSON.stringify(name)).join(", ")}]`);
  return `"indexes": [${shown.join(", ")}] to the model ${model}`;
}
