import type { FoundRemark, RemarkKind } from "../as-found/found-remarks.ts";

/** A value of a YAML file with its position. Numbers are their digits. */
export interface MetadataNode {
  readonly file: string;
  readonly line: number;
  readonly value: MetadataScalar | readonly MetadataNode[] | ReadonlyMap<string, MetadataNode>;
}

type MetadataScalar = string | boolean | null | { readonly digits: string };

/** The entries of a map; none for other values. */
export function nodeEntries(node: MetadataNode | undefined): ReadonlyMap<string, MetadataNode> {
  return node?.value instanceof Map ? node.value : new Map();
}

/** The value at a path of keys. */
export function nodeAt(node: MetadataNode | undefined, ...keys: readonly string[]): MetadataNode | undefined {
  return keys.reduce((at, key) => nodeEntries(at).get(key), node);
}

/** The items of a list; none for other values. */
export function nodeItems(node: MetadataNode | undefined): readonly MetadataNode[] {
  return isNodeList(node?.value) ? node.value : [];
}

/** The text at a path of keys; null for other values. */
export function nodeText(node: MetadataNode | undefined, ...keys: readonly string[]): string | null {
  const value = nodeAt(node, ...keys)?.value;
  return typeof value === "string" ? value : null;
}

/** A text as a list, or the texts of a list. */
export function nodeTexts(node: MetadataNode | undefined, ...keys: readonly string[]): string[] {
  const found = nodeAt(node, ...keys);
  return [...nodeItems(found), found].flatMap((item) => nodeText(item) ?? []);
}

/** A number at a path of keys; null for other values. */
export function nodeNumber(node: MetadataNode | undefined, ...keys: readonly string[]): number | null {
  const value = nodeAt(node, ...keys)?.value;
  return value instanceof Object && "digits" in value ? Number(value.digits) : null;
}

export function isNodeList(value: MetadataNode["value"] | undefined): value is readonly MetadataNode[] {
  return Array.isArray(value);
}

/** A remark on a place of the metadata. */
export function remarkAt(kind: RemarkKind, { file, line }: MetadataNode, text: string): FoundRemark {
  return { kind, place: `${file}:${line}`, text };
}
