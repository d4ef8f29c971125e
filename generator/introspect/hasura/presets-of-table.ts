import type { Json } from "../../../vocabulary/json.ts";
import { type FoundTable, type HeldColumn, isReadOnly } from "../as-found/found-table.ts";
import { sessionValue } from "./bool-exp.ts";
import type { HasuraTable } from "./hasura-metadata.ts";
import {
  nodeEntries,
  nodeEntry,
  isNodeList,
  nodeItems,
  type MetadataNode,
  nodeText,
  nodeTexts,
} from "./metadata-node.ts";

/** A part of a model as the models file has it. */
export type ModelPart = { readonly [key: string]: Json };

/** A value that is an object, or an empty one. */
export function modelPart(value: Json | undefined): ModelPart {
  return typeof value === "object" && value !== null && !isItems(value) ? value : {};
}

function isItems(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** A preset of a field. */
export interface TablePreset {
  readonly value: string;
  readonly on: "create" | "write";
}

const fitting: Readonly<Record<string, readonly string[]>> = {
  "{user_id}": ["integer", "bigint", "string", "text"],
  "{role}": ["string", "text"],
  "now()": ["datetime", "date"],
};

/** The preset for a value that a permission sets; null for other values. Throws `Unsayable` for an unknown session variable. */
export function presetValue(value: MetadataNode): string | null {
  const text = nodeText(value) ?? "";
  return /^now\(\)$/i.test(text) ? "now()" : sessionValue(text);
}

/** Whether a permission sets a time that the server sets anyway. */
export function setsTime({ place }: HeldColumn, value: MetadataNode, places: readonly string[]): boolean {
  return places.includes(place) && /^now\(\)$/i.test(nodeText(value) ?? "");
}

/** The presets of a table by column: values that each insert sets, or whose callers send the column. A preset holds for all roles. */
export function tablePresets(
  { permissions }: HasuraTable,
  table: FoundTable,
  fields: { readonly [name: string]: Json },
): ReadonlyMap<string, TablePreset> {
  const writes = permissions.filter(({ operation }) => operation === "insert" || operation === "update");
  const inserts = writes.filter(({ operation }) => operation === "insert");
  if (isReadOnly(table)) return new Map();
  return new Map(
    table.columns.flatMap(({ source: { name }, name: field, place }): [string, TablePreset][] => {
      const valueIn = ({ node }: { node: MetadataNode }) => safely(nodeEntry(nodeEntry(node, "set"), name));
      const value = inserts.flatMap((permission) => valueIn(permission) ?? [])[0];
      const { type, default: stored, enum: values } = modelPart(fields[field]);
      if (value === undefined || place !== "field" || stored !== undefined || values !== undefined) return [];
      if (!(fitting[value] ?? []).some((one) => one === type)) return [];
      const isSent = ({ node }: { node: MetadataNode }) =>
        nodeEntry(nodeEntry(node, "set"), name) === undefined &&
        ["*", name].some((one) => nodeTexts(nodeEntry(node, "columns")).includes(one));
      if (!inserts.every((permission) => valueIn(permission) === value || isSent(permission))) return [];
      return [[name, { value, on: writes.every((write) => valueIn(write) === value) ? "write" : "create" }]];
    }),
  );
}

function safely(value: MetadataNode | undefined): string | null {
  try {
    return value === undefined ? null : presetValue(value);
  } catch {
    return null;
  }
}

/** Whether a filter requires the value that an update sets, so that the update keeps it. */
export function keepsValue(column: string, value: MetadataNode, filter: MetadataNode | undefined): boolean {
  return [...nodeEntries(filter)].some(([key, part]) => {
    if (key === "_and" && isNodeList(part.value))
      return nodeItems(part).some((item) => keepsValue(column, value, item));
    if (key !== column) return false;
    const required = part.value instanceof Map ? part.value.get("_eq") : part;
    return required !== undefined && isSame(required, value);
  });
}

function isSame({ value: one }: MetadataNode, { value: other }: MetadataNode): boolean {
  const [left, right] = [one, other].map((value) =>
    typeof value === "string" && /^x-hasura-/i.test(value) ? value.toLowerCase() : value,
  );
  return JSON.stringify(left) === JSON.stringify(right) && !(left instanceof Map);
}
