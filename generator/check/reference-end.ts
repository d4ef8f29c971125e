import { formOf, type ModelGraph, type ModelNode } from "../resolve/model-graph.ts";

/** The column whose values a column holds: its own, or the one at the end of references. */
export interface End {
  readonly node: ModelNode;
  readonly column: string;
  /** As the models file calls it. */
  readonly type: string;
}

/** Follows references from a column to what they name in the end; null where that is broken. */
export function endOf(
  graph: ModelGraph,
  node: ModelNode,
  column: string,
  seen = new Set<string>(),
): End | null {
  const place = `${node.raw.key}.${column}`;
  const field = node.fields.get(column);
  if (seen.has(place)) return null;
  if (field === undefined) {
    const kind = node.kinds.get(column);
    return kind == null ? null : { node, column, type: kind };
  }
  if (formOf(field) !== "belongs_to") {
    const type = field.type?.value;
    return type === undefined ? null : { node, column, type: type === "timestamp" ? "datetime" : type };
  }
  const target = graph.get(field.relationship?.model?.value ?? "");
  const next = field.relationship?.foreignKey?.value ?? "id";
  return target === undefined ? null : endOf(graph, target, next, new Set([...seen, place]));
}
