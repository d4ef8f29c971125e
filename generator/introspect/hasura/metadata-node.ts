import type { FoundRemark, RemarkKind } from "../as-found/found-remarks.ts";

/** A value of a YAML file with its position. Numbers are their digits. */
export interface MetadataNode {
  /** Relative to the metadata folder. */
  readonly file: string;
  readonly line: number;
  readonly value: MetadataScalar | readonly MetadataNode[] | MetadataMap;
}

export type MetadataScalar = string | boolean | null | { readonly digits: string };

export type MetadataMap = ReadonlyMap<string, MetadataNode>;

/** The entries of a map; none for other values. */
export function nodeEntries(node: MetadataNode | undefined): MetadataMap {
  return node?.value instanceof Map ? node.value : new Map();
}

/** The items of a list; none for other values. */
export function nodeItems(node: MetadataNode | undefined): readonly MetadataNode[] {
  return isNodeList(node?.value) ? node.value : [];
}

/** An entry of a map. */
export function nodeEntry(node: MetadataNode | undefined, key: string): MetadataNode | undefined {
  return nodeEntries(node).get(key);
}

/** A text; null for other values. */
export function nodeText(node: MetadataNode | undefined): string | null {
  return typeof node?.value === "string" ? node.value : null;
}

/** The texts of a list, or a text. */
export function nodeTexts(node: MetadataNode | undefined): string[] {
  return [...nodeItems(node), node].flatMap((item) => nodeText(item) ?? []);
}

export function isNodeList(value: MetadataNode["value"] | undefined): value is readonly MetadataNode[] {
  return Array.isArray(value);
}

/** Whether a value says nothing: null, false, or an empty text, list or map. */
export function isEmpty({ value }: MetadataNode): boolean {
  if (value instanceof Map) return value.size === 0;
  if (isNodeList(value)) return value.length === 0;
  return value === null || value === false || value === "";
}

/** A remark on a place of the metadata. */
export function remarkAt(kind: RemarkKind, { file, line }: MetadataNode, text: string): FoundRemark {
  return { kind, place: `${file}:${line}`, text };
}
