import type { Json } from "../../../vocabulary/json.ts";
import type { FoundRemark } from "../as-found/found-remarks.ts";

/** A map of the metadata, or a part of a model. */
export type JsonMap = { readonly [key: string]: Json };

/** A value that is a map, or an empty one. */
export function mapOf(value: Json | undefined): JsonMap {
  const isMap = (one: Json | undefined): one is JsonMap =>
    typeof one === "object" && one !== null && !Array.isArray(one);
  return isMap(value) ? value : {};
}

/** A value that is a list, or an empty one. */
export function listOf(value: Json | undefined): readonly Json[] {
  const isList = (one: Json | undefined): one is readonly Json[] => Array.isArray(one);
  return isList(value) ? value : [];
}

/** A text as a list, or the texts of a list. */
export function textsOf(value: Json | undefined): string[] {
  return [value, ...listOf(value)].filter((one) => typeof one === "string");
}

const places = new WeakMap<object, string>();

/** Keeps the file and line of a map or a list. */
export function withPlace<Value extends object>(value: Value, place: string): Value {
  places.set(value, place);
  return value;
}

/** File and line of the first value that has them. */
export function placeOf(...values: readonly (Json | undefined)[]): string {
  const found = values.map((value) => (value instanceof Object ? places.get(value) : undefined));
  return found.find((place) => place !== undefined) ?? "metadata";
}

/** What a role can do with the rows of a table. */
export interface HasuraPermission {
  readonly role: string;
  readonly operation: HasuraOperation;
  readonly content: JsonMap;
  readonly place: string;
}

const hasuraOperations = ["select", "insert", "update", "delete"] as const;

export type HasuraOperation = (typeof hasuraOperations)[number];

interface TableName {
  readonly schema: string;
  readonly name: string;
}

/** A tracked table. */
export interface HasuraTable extends TableName {
  readonly content: JsonMap;
  readonly permissions: readonly HasuraPermission[];
}

/** The parts of the metadata that become models, and remarks on the others. */
export interface HasuraMetadata {
  /** File and line of the databases. */
  readonly place: string;
  readonly tables: readonly HasuraTable[];
  readonly remarks: readonly FoundRemark[];
}

const postgres: readonly Json[] = ["postgres", "pg", "citus", "cockroach", "alloy"];

/** Reads metadata of version 3: the database `default`, or else the first. `files` are the other YAML files by name. */
export function readHasuraMetadata(databases: Json, files: JsonMap): HasuraMetadata {
  const sources = listOf(databases).map(mapOf);
  const ours = sources.filter(({ kind = null }) => postgres.includes(kind));
  const chosen = ours.find(({ name }) => name === "default") ?? ours[0] ?? {};
  const tables = listOf(chosen["tables"]).map(mapOf).map(readTable);
  return {
    place: placeOf(databases),
    tables,
    remarks: [
      ...tables.flatMap(({ name, content }) => [
        ...rest(content, tableKeys, `${name} `),
        ...rest(mapOf(content["configuration"]), [], `${name} `),
      ]),
      ...rest(chosen, ["name", "kind", "configuration", "tables"]),
      ...rest(withPlace({ database: sources.filter((one) => one !== chosen) }, placeOf(databases)), []),
      ...rest(files, []),
    ],
  };
}

/** A table is its name in the schema `public`, or both. */
export function tableNameOf(value: Json | undefined): TableName {
  const { schema = "public", name = value ?? "" } = mapOf(value);
  return { schema: String(schema), name: String(name) };
}

const tableKeys = [
  ...hasuraOperations.map((operation) => `${operation}_permissions`),
  ...["table", "configuration", "object_relationships", "array_relationships"],
];

function readTable(content: JsonMap): HasuraTable {
  const permissions = hasuraOperations.flatMap((operation) =>
    listOf(content[`${operation}_permissions`]).map((item) => {
      const [role = ""] = textsOf(mapOf(item)["role"]);
      return { role, operation, content: mapOf(mapOf(item)["permission"]), place: placeOf(item, content) };
    }),
  );
  return { ...tableNameOf(content["table"]), content, permissions };
}

/** Remarks on the entries without a counterpart: on each item of their lists. */
function rest(entries: JsonMap, known: readonly string[], of = ""): FoundRemark[] {
  return Object.entries(entries).flatMap(([key, value]) => {
    const isEmpty = !value || (value instanceof Object && Object.keys(value).length === 0);
    if (isEmpty || known.includes(key)) return [];
    return (Array.isArray(value) ? listOf(value) : [value]).map((item): FoundRemark => {
      const [name = ""] = textsOf(mapOf(item)["name"]);
      const text = `${`${of}${key} ${name}`.trim()}: it has no counterpart`;
      return { kind: "hasura", place: placeOf(item, value, entries), text };
    });
  });
}
