import type { FoundRemark } from "../as-found/found-remarks.ts";
import {
  entriesOf,
  entryOf,
  isEmpty,
  isList,
  itemsOf,
  type MetadataNode,
  remarkAt,
  textOf,
  textsOf,
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
  const sources = itemsOf(databases);
  const ours = sources.filter((source) => postgres.includes(textOf(entryOf(source, "kind")) ?? ""));
  const chosen = ours.find((source) => textOf(entryOf(source, "name")) === "default") ?? ours[0];
  const others = sources.filter((source) => source !== chosen);
  const known = ["name", "kind", "configuration", "tables"];
  return {
    node: databases,
    tables: itemsOf(entryOf(chosen, "tables")).map(readTable),
    remarks: [
      ...itemsOf(entryOf(chosen, "tables")).flatMap(leftOfTable),
      ...[...entriesOf(chosen)].flatMap(([key, node]) => (known.includes(key) ? [] : left(key, node))),
      ...others.map((source) => {
        const name = textOf(entryOf(source, "name")) ?? "";
        const count = itemsOf(entryOf(source, "tables")).length;
        return remarkAt("hasura", source, `database ${name}: it was not read (${count} tables)`);
      }),
      ...[...files].flatMap(([name, node]) => left(name, node)),
    ],
  };
}

/** The items of a part without a counterpart. */
function left(name: string, node: MetadataNode): FoundRemark[] {
  if (isEmpty(node)) return [];
  if (isList(node.value)) return node.value.map((item) => lost(item, `${name} ${nameOf(item)}`.trim()));
  const parts = [...entriesOf(node)];
  if (parts.some(([, part]) => isList(part.value)))
    return parts.flatMap(([key, part]) => left(key === name ? name : `${name} ${key}`, part));
  return [lost(node, name)];
}

function lost(at: MetadataNode, what: string): FoundRemark {
  return remarkAt("hasura", at, `${what}: it has no counterpart`);
}

const names = ["name", "role_name", "role", "collection", "url"];

function nameOf(item: MetadataNode): string {
  const nested = entryOf(item, "function") ?? item;
  return [item, nested].flatMap((node) => names.flatMap((key) => textOf(entryOf(node, key)) ?? []))[0] ?? "";
}

const readKeys = ["table", "configuration", "object_relationships", "array_relationships"];
const permissionKey = (operation: HasuraOperation) => `${operation}_permissions`;

function leftOfTable(node: MetadataNode): FoundRemark[] {
  const { name } = tableName(entryOf(node, "table"));
  const known = [...readKeys, ...hasuraOperations.map(permissionKey)];
  const settings = ["custom_name", "column_config", "custom_column_names", "comment"];
  return [
    ...[...entriesOf(node)].filter(([key]) => !known.includes(key)),
    ...[...entriesOf(entryOf(node, "configuration"))].filter(([key]) => !settings.includes(key)),
  ].flatMap(([key, part]) => left(`${name} ${key}`, part));
}

/** A table is its name in the schema `public`, or both. */
function tableName(node: MetadataNode | undefined): TableName {
  const schema = textOf(entryOf(node, "schema")) ?? "public";
  return { schema, name: textOf(node) ?? textOf(entryOf(node, "name")) ?? "" };
}

function readTable(node: MetadataNode): HasuraTable {
  const configuration = entryOf(node, "configuration");
  const named = [...entriesOf(entryOf(configuration, "custom_column_names"))];
  const configured = [...entriesOf(entryOf(configuration, "column_config"))].map(
    ([column, config]) => [column, entryOf(config, "custom_name")] as const,
  );
  const relationships = (key: string) =>
    itemsOf(entryOf(node, key)).map((item) => readRelationship(item, key === "array_relationships"));
  return {
    ...tableName(entryOf(node, "table")),
    node,
    customName: textOf(entryOf(configuration, "custom_name")),
    comment: textOf(entryOf(configuration, "comment")),
    columnNames: new Map(
      [...named, ...configured].flatMap(([column, name]) => {
        const text = textOf(name);
        return text === null ? [] : [[column, text]];
      }),
    ),
    relationships: [...relationships("object_relationships"), ...relationships("array_relationships")],
    permissions: hasuraOperations.flatMap((operation) =>
      itemsOf(entryOf(node, permissionKey(operation))).map((item) => ({
        role: textOf(entryOf(item, "role")) ?? "",
        operation,
        node: entryOf(item, "permission") ?? item,
      })),
    ),
  };
}

function readRelationship(node: MetadataNode, many: boolean): HasuraRelationship {
  const using = entryOf(node, "using");
  const key = entryOf(using, "foreign_key_constraint_on");
  const manual = entryOf(using, "manual_configuration");
  const back = entryOf(key, "table");
  const columns = textsOf(entryOf(key, "column") ?? entryOf(key, "columns"));
  const own = key === undefined || back !== undefined ? [] : textsOf(key);
  const mapped = [...entriesOf(entryOf(manual, "column_mapping"))];
  const other = back ?? entryOf(manual, "remote_table");
  return {
    ...{ name: textOf(entryOf(node, "name")) ?? "", many, node },
    columns: [
      ...own.map((column) => [column, null] as const),
      ...columns.map((column) => [null, column] as const),
      ...mapped.map(([column, to]) => [column, textOf(to)] as const),
    ],
    other: other === undefined ? null : tableName(other),
  };
}
