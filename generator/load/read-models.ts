import { type RuntimeColumn, runtimeColumns } from "../../vocabulary/fields/runtime-columns.ts";
import { type AccessKey, allOperations, operations } from "../../vocabulary/operations.ts";
import type { IdType } from "../definition/stored.ts";
import type { JsonMember, JsonNode } from "./json-tree.ts";
import type {
  RawAccess,
  RawCheck,
  RawCondition,
  RawFieldList,
  RawMcp,
  RawModel,
  RawRule,
  RawStoredColumn,
} from "./raw.ts";
import {
  child,
  itemsOf,
  type Located,
  membersOf,
  readBoolean,
  readNumber,
  readString,
  readStrings,
} from "./read.ts";
import { keySpans, readField } from "./read-field.ts";
import { readLintIgnore } from "./read-lint-ignore.ts";
import { readRateLimit } from "./read-manifest.ts";

/** Reads the models of one parsed file. Skips values of a wrong shape: the shape check reports them. */
export function readRawModels(root: JsonNode): RawModel[] {
  return [...membersOf(root)]
    .filter(([key, member]) => !key.startsWith("$") && member.value.kind === "object")
    .map(([key, member]) => readModel(key, member));
}

/** Reads the named conditions of one parsed file. Skips incomplete ones, as above. */
export function readRawConditions(root: JsonNode): RawCondition[] {
  return [...membersOf(child(root, "$conditions"))].flatMap(([name, { key: at, value }]) => {
    const on = readString(child(value, "on"));
    const condition = readString(child(value, "condition"));
    if (on === null || condition === null) return [];
    return [{ name, at, on, condition, description: readString(child(value, "description"))?.value ?? null }];
  });
}

function readModel(key: string, { key: at, value: node }: JsonMember): RawModel {
  const flag = (name: string) => readBoolean(child(node, name))?.value ?? false;
  const orderKey = child(node, "key");
  return {
    key,
    at,
    builtIn: false,
    table: readString(child(node, "table") ?? child(node, "table_name")),
    slug: readString(child(node, "slug")),
    description: readString(child(node, "description"))?.value ?? null,
    renamedFrom: readString(child(node, "renamed_from")),
    softDelete: flag("soft_delete"),
    internal: flag("internal"),
    maxLimit: readNumber(child(node, "max_limit"))?.value ?? null,
    idType: readIdType(node),
    schemaName: readString(child(node, "schema_name")),
    columns: readColumns(child(node, "columns")),
    orderKey: orderKey === undefined ? null : readFieldList(orderKey),
    readOnly: flag("read_only") || flag("view"),
    view: flag("view"),
    triggerMessages: flag("trigger_messages"),
    fields: [...membersOf(child(node, "schema") ?? child(node, "fields"))]
      .filter(([, member]) => member.value.kind === "object")
      .map(([name, member]) => readField(name, member)),
    unique: itemsOf(child(node, "unique")).map(readFieldList),
    indexes: itemsOf(child(node, "indexes")).map(readFieldList),
    checks: itemsOf(child(node, "checks")).flatMap((item) => readCheck(item) ?? []),
    access: readAccess(membersOf(node).get("access"), at),
    rateLimit: readRateLimit(child(node, "rate_limit")),
    mcp: readMcp(child(node, "mcp")),
    lintIgnore: readLintIgnore(node, at),
    keys: keySpans(node),
  };
}

function readMcp(node: JsonNode | undefined): RawMcp | null {
  if (node?.kind === "array") return { at: node.at, operations: readStrings(node) };
  const usual = readBoolean(node);
  return usual?.value === true ? { at: usual.at, operations: null } : null;
}

function readIdType(node: JsonNode): IdType {
  const type = readString(child(node, "id_type"))?.value;
  return type === "uuid" || type === "bigint" || type === "string" ? type : "integer";
}

function readColumns(node: JsonNode | undefined): RawModel["columns"] {
  const columns = membersOf(node);
  const read = runtimeColumns.flatMap((name) => {
    const value = columns.get(name)?.value;
    const column = value === undefined ? null : readColumn(value);
    return column === null ? [] : [[name, column] as const];
  });
  return new Map<RuntimeColumn, Located<RawStoredColumn | null>>(read);
}

/** A name, an object or null; null for other values. */
function readColumn(node: JsonNode): Located<RawStoredColumn | null> | null {
  const { at } = node;
  if (node.kind === "scalar" && node.value === null) return { value: null, at };
  const name = readString(node);
  if (name === null && node.kind !== "object") return null;
  const value = {
    column: name ?? readString(child(node, "column")),
    dbType: readString(child(node, "db_type")),
    nullable: readBoolean(child(node, "nullable"))?.value ?? false,
    generated: readBoolean(child(node, "generated")),
    outOfRange: readString(child(node, "out_of_range")),
  };
  return { value, at };
}

function readFieldList(node: JsonNode): RawFieldList {
  return { at: node.at, fields: readStrings(node) };
}

function readCheck(node: JsonNode): RawCheck | null {
  const name = readString(child(node, "name"));
  const condition = readString(child(node, "condition"));
  const message = readString(child(node, "message"));
  if (name === null || condition === null || message === null) return null;
  return { name, condition, message, field: readString(child(node, "field")) };
}

const accessKeys: readonly AccessKey[] = [...operations, allOperations];

function readAccess(member: JsonMember | undefined, modelAt: RawModel["at"]): RawAccess {
  const entries = membersOf(member?.value);
  const known = accessKeys.flatMap((operation) => {
    const entry = entries.get(operation);
    return entry === undefined
      ? []
      : [
          [
            operation,
            { at: entry.key, rules: readRules(entry.value), phrase: readString(entry.value) },
          ] as const,
        ];
  });
  const fields = [...membersOf(entries.get("fields")?.value)].map(([field, gate]) => ({
    field: { value: field, at: gate.key },
    read: readRoles(child(gate.value, "read")),
    write: readRoles(child(gate.value, "write")),
  }));
  return { at: member?.key ?? modelAt, operations: new Map(known), fields };
}

function readRules(node: JsonNode): RawRule[] {
  return itemsOf(node).flatMap((item) => {
    const condition = readString(child(item, "condition"));
    const roles = readRole(child(item, "role"));
    const list = roles.map(({ value }) => value);
    const named = membersOf(item).get("fields");
    const fields = named === undefined ? null : { at: named.key, names: readStrings(named.value) };
    return roles.map((role) => ({ role, list, condition, fields }));
  });
}

/** A list of roles stands for one rule per role. A duplicate role counts once: the shape check reports it. */
function readRole(node: JsonNode | undefined) {
  const roles =
    node?.kind === "array" ? readStrings(node) : [readString(node)].filter((role) => role !== null);
  return roles.filter(({ value }, index) => roles.findIndex((role) => role.value === value) === index);
}

function readRoles(node: JsonNode | undefined) {
  return node?.kind === "array" ? readStrings(node) : null;
}
