import type { FoundRemark } from "../as-found/found-remarks.ts";
import {
  isNodeList,
  type MetadataNode,
  nodeAt,
  nodeEntries,
  nodeItems,
  nodeText,
  remarkAt,
} from "./metadata-node.ts";

/** What a role can do with the rows of a table. */
export interface HasuraPermission {
  readonly role: string;
  readonly operation: HasuraOperation;
  readonly node: MetadataNode;
}

export const hasuraOperations = ["select", "insert", "update", "delete"] as const;

export type HasuraOperation = (typeof hasuraOperations)[number];

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** A tracked table. */
export interface HasuraTable extends TableName {
  readonly node: MetadataNode;
  readonly permissions: readonly HasuraPermission[];
}

/** The parts of the metadata that become models, and remarks on the others. */
export interface HasuraMetadata {
  /** The file of the databases. */
  readonly node: MetadataNode;
  readonly tables: readonly HasuraTable[];
  readonly remarks: readonly FoundRemark[];
}

const postgres = ["postgres", "pg", "citus", "cockroach", "alloy"];

/** Reads metadata of version 3: the database `default`, or else the first. `files` are the other YAML files by name. */
export function readHasuraMetadata(
  node: MetadataNode,
  files: ReadonlyMap<string, MetadataNode>,
): HasuraMetadata {
  const sources = nodeItems(node);
  const ours = sources.filter((source) => postgres.includes(nodeText(source, "kind") ?? ""));
  const chosen = ours.find((source) => nodeText(source, "name") === "default") ?? ours[0];
  const tables = nodeItems(nodeAt(chosen, "tables"));
  return {
    node,
    tables: tables.map(readTable),
    remarks: [
      ...tables.flatMap(restOfTable),
      ...rest(nodeEntries(chosen), ["name", "kind", "configuration", "tables"]),
      ...sources.flatMap((source) => (source === chosen ? [] : [lost(source, `database ${nameOf(source)}`)])),
      ...rest(files, []),
    ],
  };
}

/** A table is its name in the schema `public`, or both. */
export function tableNameAt(node: MetadataNode | undefined): TableName {
  return {
    schema: nodeText(node, "schema") ?? "public",
    name: nodeText(node) ?? nodeText(node, "name") ?? "",
  };
}

function readTable(node: MetadataNode): HasuraTable {
  const permissions = hasuraOperations.flatMap((operation) =>
    nodeItems(nodeAt(node, `${operation}_permissions`)).map((item) => {
      return { role: nodeText(item, "role") ?? "", operation, node: nodeAt(item, "permission") ?? item };
    }),
  );
  return { ...tableNameAt(nodeAt(node, "table")), node, permissions };
}

function restOfTable(node: MetadataNode): FoundRemark[] {
  const of = tableNameAt(nodeAt(node, "table")).name;
  const read = hasuraOperations.map((operation) => `${operation}_permissions`);
  const known = [...read, "table", "configuration", "object_relationships", "array_relationships"];
  const settings = nodeEntries(nodeAt(node, "configuration"));
  const columns = [...nodeEntries(nodeAt(node, "configuration", "column_config"))];
  const names = [
    [of, nodeAt(node, "configuration")] as const,
    ...columns.map(([column, config]) => [`${of}.${column}`, config] as const),
  ];
  return [
    ...rest(nodeEntries(node), known, of),
    ...rest(settings, ["custom_name", "column_config"], of),
    ...names.flatMap(([place, config]) => {
      const custom = nodeAt(config, "custom_name");
      return custom === undefined
        ? []
        : [remarkAt("hasura", custom, `${place}: its name ${nodeText(custom) ?? ""} is left out`)];
    }),
  ];
}

/** Remarks on the entries without a counterpart: on each item of their lists. */
function rest(entries: ReadonlyMap<string, MetadataNode>, known: readonly string[], of = ""): FoundRemark[] {
  return [...entries].flatMap(([key, node]) =>
    known.includes(key) ? [] : left(`${of} ${key}`.trim(), node),
  );
}

function left(name: string, node: MetadataNode): FoundRemark[] {
  const { value } = node;
  if (value === null || value === false || value === "") return [];
  if (isNodeList(value)) return value.map((item) => lost(item, `${name} ${nameOf(item)}`.trim()));
  return value instanceof Map && value.size === 0 ? [] : [lost(node, name)];
}

function lost(node: MetadataNode, what: string): FoundRemark {
  return remarkAt("hasura", node, `${what}: it has no counterpart`);
}

function nameOf(item: MetadataNode): string {
  const keys = ["name", "role_name", "role", "collection"].flatMap((key) => nodeText(item, key) ?? []);
  return keys[0] ?? nodeText(item, "function", "name") ?? "";
}
