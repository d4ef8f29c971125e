import type { Json } from "../../../vocabulary/json.ts";
import { isList, isPart } from "../../emit/client/json-parts.ts";
import type { FoundRemark } from "../as-found/found-remarks.ts";

/** A map of the metadata, or a part of a model. */
export type JsonMap = { readonly [key: string]: Json };

/** A value that is a map, or an empty one. */
export function mapOf(value: Json | undefined): JsonMap {
  return isPart(value) ? value : {};
}

/** The maps of a list. */
export function mapsIn(value: Json | undefined): JsonMap[] {
  return isList(value) ? value.filter(isPart) : [];
}

/** A text as a list, or the texts of a list. */
export function textsOf(value: Json | undefined): string[] {
  return (isList(value) ? value : [value]).filter((one) => typeof one === "string");
}

const places = new WeakMap<object, string>();

/** Keeps the file and line of a map or a list. */
export function withPlace<Value extends object>(value: Value, place: string): Value {
  places.set(value, place);
  return value;
}

/** The file and line of a map or a list. */
export function placeOf(value: Json, otherwise = "metadata"): string {
  return (value instanceof Object ? places.get(value) : null) ?? otherwise;
}

/** A remark on a part of the metadata. */
export function hasuraRemark(place: string, text: string): FoundRemark {
  return { kind: "hasura", place, text };
}

const hasuraOperations = ["select", "insert", "update", "delete"] as const;

/** The parts of the metadata that become models, and remarks on the others. */
export type HasuraMetadata = ReturnType<typeof readHasuraMetadata>;

/** A tracked table. */
export type HasuraTable = ReturnType<typeof readTable>;

/** What a role can do with the rows of a table. */
export type HasuraPermission = HasuraTable["permissions"][number];

const postgres: readonly Json[] = ["postgres", "pg", "citus", "cockroach", "alloy"];

const ofAll =
  "auth.registration is false, unless the manifest has a value (docs/hasura.md#accounts); limits, counts and updates differ (docs/hasura.md#what-becomes-what)";

/** Reads metadata of version 3: the database `default`, or else the first. `files` are the other YAML files by name, and `guest` is the role of callers without a credential. */
export function readHasuraMetadata(databases: Json, files: JsonMap, guest: string | null) {
  const sources = mapsIn(databases);
  const ours = sources.filter(({ kind = null }) => postgres.includes(kind));
  const chosen = ours.find(({ name }) => name === "default") ?? ours[0] ?? {};
  const tables = mapsIn(chosen["tables"]).map(readTable);
  const remarks = [
    hasuraRemark(placeOf(databases), ofAll),
    ...tables.flatMap(({ name, content }) => rest(content, tableKeys, `${name} `)),
    ...tables.flatMap(({ name, content }) => rest(mapOf(content["configuration"]), [], `${name} `)),
    ...rest(chosen, ["name", "kind", "configuration", "tables"]),
    ...rest({ "another database": sources.filter((source) => source !== chosen) }),
    ...Object.entries(files).flatMap(([name, value]) => rest(isPart(value) ? value : { [name]: value })),
  ];
  return { tables, remarks, guest };
}

/** A table is its name in the schema `public`, or both. */
export function tableNameAt(value: Json | undefined): { readonly schema: string; readonly name: string } {
  const { schema = "public", name = value ?? "" } = mapOf(value);
  return { schema: String(schema), name: String(name) };
}

const tableKeys = [
  ...hasuraOperations.map((operation) => `${operation}_permissions`),
  ...["table", "configuration", "object_relationships", "array_relationships"],
];

function readTable(content: JsonMap) {
  const permissions = hasuraOperations.flatMap((operation) =>
    mapsIn(content[`${operation}_permissions`]).map((item) => {
      const role = String(item["role"] ?? "");
      return { role, operation, content: mapOf(item["permission"]), place: placeOf(item) };
    }),
  );
  return { ...tableNameAt(content["table"]), content, permissions };
}

/** Remarks on the entries without a counterpart: on each item of their lists. */
function rest(entries: JsonMap, known: readonly string[] = [], of = ""): FoundRemark[] {
  return Object.entries(entries).flatMap(([key, value]) => {
    const isEmpty = !value || (value instanceof Object && Object.keys(value).length === 0);
    if (isEmpty || known.includes(key)) return [];
    const around = placeOf(value, placeOf(entries));
    return (isList(value) ? value : [value]).map((item) => {
      const what = `${of}${key} ${mapOf(item)["name"] ?? ""}`.trim();
      return hasuraRemark(placeOf(item, around), `${what}: it has no counterpart`);
    });
  });
}
