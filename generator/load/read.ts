import type { SourceSpan } from "../diagnostics/index.ts";
import type { JsonMember, JsonNode } from "./json-tree.ts";

/** An input value with its position. */
export interface Located<T> {
  readonly value: T;
  readonly at: SourceSpan;
}

/** The members of an object node. Empty for other nodes: the shape check reports them. */
export function membersOf(node: JsonNode | undefined): ReadonlyMap<string, JsonMember> {
  return node?.kind === "object" ? node.members : new Map();
}

/** The value under a key, or undefined. */
export function child(node: JsonNode | undefined, key: string): JsonNode | undefined {
  return membersOf(node).get(key)?.value;
}

/** The items of an array node. Empty for other nodes. */
export function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.kind === "array" ? node.items : [];
}

/** The string at a node; null for other values. */
export function readString(node: JsonNode | undefined): Located<string> | null {
  return node?.kind === "scalar" && typeof node.value === "string"
    ? { value: node.value, at: node.at }
    : null;
}

export function readNumber(node: JsonNode | undefined): Located<number> | null {
  return node?.kind === "scalar" && typeof node.value === "number"
    ? { value: node.value, at: node.at }
    : null;
}

export function readBoolean(node: JsonNode | undefined): Located<boolean> | null {
  return node?.kind === "scalar" && typeof node.value === "boolean"
    ? { value: node.value, at: node.at }
    : null;
}

/** The strings of an array node. */
export function readStrings(node: JsonNode | undefined): Located<string>[] {
  return itemsOf(node).flatMap((item) => readString(item) ?? []);
}
