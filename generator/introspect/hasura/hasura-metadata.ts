import type { FoundRemark } from "../as-found/found-remarks.ts";
import {
  nodeEntries,
  nodeEntry,
  isEmpty,
  isNodeList,
  nodeItems,
  type MetadataNode,
  remarkAt,
  nodeText,
  nodeTexts,
} from "./metadata-node.ts";

/** The operations of Hasura's permissions. */
export const hasuraOperations = ["select", "insert", "update", "delete"] as const;

export type HasuraOperation = (typeof hasuraOperations)[number];

/** What a role can do with the rows of a table. */
export interface HasuraPermission {
  readonly role: string;
  readonly operation: HasuraOperation;
  readonly node: MetadataNode;
}

/** A relationship over a foreign key: of the table's column, or of a column of the other table. */
export interface HasuraRelationship {
  readonly name: string;
  readonly many: boolean;
  readonly node: MetadataNode;
  /** Columns to those of the other table; null if the foreign key says the rest. */
  readonly columns: readonly (readonly [own: string | null, other: string | null])[];
  /** Null for the table that the foreign key refers to. */
  readonly other: TableName | null;
}

export interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** A tracked table. */
export interface HasuraTable extends TableName {
  readonly node: MetadataNode;
  readonly customName: string | null;
  readonly comment: string | null;
  /** Custom names by column. */
  readonly columnNames: ReadonlyMap<string, string>;
  readonly relationships: readonly HasuraRelationship[];
  readonly permissions: readonly HasuraPermission[];
}

/** The parts of the metadata that become models, and the others. */
export interface HasuraMetadata {
  /** The file of the databases. */
  readonly node: MetadataNode;
  readonly tables: readonly HasuraTable[];
  readonly remarks: readonly FoundRemark[];
}

const postgres = ["postgres", "pg", "citus", "cockroach", "alloy"];

/** Reads metadata of version 3. `files` are the YAML files next to `version.yaml`, by their names without `.yaml`. */
export function readHasuraMetadata(
  databases: MetadataNode,
  files: ReadonlyMap<string, MetadataNode>,
): HasuraMetadata {
  const sources = nodeItems(databases);
  const ours = sources.filter((source) => postgres.includes(nodeText(nodeEntry(source, "kind")) ?? ""));
  const chosen = ours.find((source) => nodeText(nodeEntry(source, "name")) === "default") ?? ours[0];
  const others = sources.filter((source) => source !== chosen);
  const known = ["name", "kind", "configuration", "tables"];
  return {
    node: databases,
    tables: nodeItems(nodeEntry(chosen, "tables")).map(readTable),
    remarks: [
      ...nodeItems(nodeEntry(chosen, "tables")).flatMap(leftOfTable),
      ...[...nodeEntries(chosen)].flatMap(([key, node]) => (known.includes(key) ? [] : left(key, node))),
      ...others.map((source) => {
        const name = nodeText(nodeEntry(source, "name")) ?? "";
        const count = nodeItems(nodeEntry(source, "tables")).length;
        return remarkAt("hasura", source, `database ${name}: it was not read (${count} tables)`);
      }),
      ...[...files].flatMap(([name, node]) => left(name, node)),
    ],
  };
}

/** The items of a part without a counterpart. */
function left(name: string, node: MetadataNode): FoundRemark[] {
  if (isEmpty(node)) return [];
  if (isNodeList(node.value)) return node.value.map((item) => lost(item, `${name} ${nameOf(item)}`.trim()));
  const parts = [...nodeEntries(node)];
  if (parts.some(([, part]) => isNodeList(part.value)))
    return parts.flatMap(([key, part]) => left(key === name ? name : `${name} ${key}`, part));
  return [lost(node, name)];
}

function lost(at: MetadataNode, what: string): FoundRemark {
  return remarkAt("hasura", at, `${what}: it has no counterpart`);
}

const names = ["name", "role_name", "role", "collection", "url"];

function nameOf(item: MetadataNode): string {
  const nested = nodeEntry(item, "function") ?? item;
  return (
    [item, nested].flatMap((node) => names.flatMap((key) => nodeText(nodeEntry(node, key)) ?? []))[0] ?? ""
  );
}

const readKeys = ["table", "configuration", "object_relationships", "array_relationships"];
const permissionKey = (operation: HasuraOperation) => `${operation}_permissions`;

function leftOfTable(node: MetadataNode): FoundRemark[] {
  const { name } = tableName(nodeEntry(node, "table"));
  const known = [...readKeys, ...hasuraOperations.map(permissionKey)];
  const settings = ["custom_name", "column_config", "custom_column_names", "comment"];
  return [
    ...[...nodeEntries(node)].filter(([key]) => !known.includes(key)),
    ...[...nodeEntries(nodeEntry(node, "configuration"))].filter(([key]) => !settings.includes(key)),
  ].flatMap(([key, part]) => left(`${name} ${key}`, part));
}

/** A table is its name in the schema `public`, or both. */
function tableName(node: MetadataNode | undefined): TableName {
  const schema = nodeText(nodeEntry(node, "schema")) ?? "public";
  return { schema, name: nodeText(node) ?? nodeText(nodeEntry(node, "name")) ?? "" };
}

function readTable(node: MetadataNode): HasuraTable {
  const configuration = nodeEntry(node, "configuration");
  const named = [...nodeEntries(nodeEntry(configuration, "custom_column_names"))];
  const configured = [...nodeEntries(nodeEntry(configuration, "column_config"))].map(
    ([column, config]) => [column, nodeEntry(config, "custom_name")] as const,
  );
  const relationships = (key: string) =>
    nodeItems(nodeEntry(node, key)).map((item) => readRelationship(item, key === "array_relationships"));
  return {
    ...tableName(nodeEntry(node, "table")),
    node,
    customName: nodeText(nodeEntry(configuration, "custom_name")),
    comment: nodeText(nodeEntry(configuration, "comment")),
    columnNames: new Map(
      [...named, ...configured].flatMap(([column, name]) => {
        const text = nodeText(name);
        return text === null ? [] : [[column, text]];
      }),
    ),
    relationships: [...relationships("object_relationships"), ...relationships("array_relationships")],
    permissions: hasuraOperations.flatMap((operation) =>
      nodeItems(nodeEntry(node, permissionKey(operation))).map((item) => ({
        role: nodeText(nodeEntry(item, "role")) ?? "",
        operation,
        node: nodeEntry(item, "permission") ?? item,
      })),
    ),
  };
}

function readRelationship(node: MetadataNode, many: boolean): HasuraRelationship {
  const using = nodeEntry(node, "using");
  const key = nodeEntry(using, "foreign_key_constraint_on");
  const manual = nodeEntry(using, "manual_configuration");
  const back = nodeEntry(key, "table");
  const columns = nodeTexts(nodeEntry(key, "column") ?? nodeEntry(key, "columns"));
  const own = key === undefined || back !== undefined ? [] : nodeTexts(key);
  const mapped = [...nodeEntries(nodeEntry(manual, "column_mapping"))];
  const other = back ?? nodeEntry(manual, "remote_table");
  return {
    ...{ name: nodeText(nodeEntry(node, "name")) ?? "", many, node },
    columns: [
      ...own.map((column) => [column, null] as const),
      ...columns.map((column) => [null, column] as const),
      ...mapped.map(([column, to]) => [column, nodeText(to)] as const),
    ],
    other: other === undefined ? null : tableName(other),
  };
}
