import { type DbType, dbTypeText, parseDbType, rowOfDbType } from "../../vocabulary/fields/db-types.ts";
import type { RuntimeColumn } from "../../vocabulary/fields/runtime-columns.ts";
import { columnType } from "../definition/column-type.ts";
import type { FieldDefinition } from "../definition/definition.ts";
import type { StoredColumn, StoredField, StoredModel } from "../definition/stored.ts";
import type { RawField, RawModel } from "../load/raw.ts";
import type { Located } from "../load/read.ts";
import { formOf, hasRuntimeColumn, type ModelGraph, type ModelNode } from "./model-graph.ts";

/** The physical name of a column; null if the table does not have the runtime column. */
export function physicalName({ raw, fields }: ModelNode, column: string): string | null {
  const field = fields.get(column);
  if (field !== undefined) return field.column?.value ?? column;
  const runtime = [...raw.columns].find(([name]) => name === column)?.[1];
  return runtime === undefined ? column : (runtime.value?.column?.value ?? (runtime.value && column));
}

/** The foreign key that has the column of the id; undefined if the id has its own column. */
export function rawKeyField(node: ModelNode): RawField | undefined {
  if (!hasRuntimeColumn(node.raw, "id")) return undefined;
  const id = physicalName(node, "id");
  return node.raw.fields.find(
    (field) => formOf(field) === "belongs_to" && physicalName(node, field.name) === id,
  );
}

/** The physical type of a column. A foreign key without a `db_type` has the type of its target. Null for the type of the kind. */
export function dbTypeOf(
  graph: ModelGraph,
  node: ModelNode,
  column: string,
  seen: ReadonlySet<string> = new Set(),
): DbType | null {
  const place = `${node.raw.key}.${column}`;
  if (seen.has(place)) return null;
  const field = node.fields.get(column);
  if (field === undefined) {
    const key = column === "id" ? rawKeyField(node) : undefined;
    if (key !== undefined) return dbTypeOf(graph, node, key.name, new Set([...seen, place]));
    return parsedType(runtimeColumn(node.raw, column)?.dbType ?? null);
  }
  if (field.dbType !== null || formOf(field) !== "belongs_to") return parsedType(field.dbType);
  const target = graph.get(field.relationship?.model?.value ?? "");
  const next = field.relationship?.foreignKey?.value ?? "id";
  return target === undefined ? null : dbTypeOf(graph, target, next, new Set([...seen, place]));
}

function runtimeColumn({ columns }: RawModel, column: string) {
  return [...columns].find(([name]) => name === column)?.[1].value ?? null;
}

/** The type of a text. Null without one; the checks report a text that is not a type. */
function parsedType(text: Located<string> | null): DbType | null {
  const type = text === null ? null : parseDbType(text.value);
  return type === null || "problem" in type ? null : type;
}

/** Whether only the database writes a field. */
export function isGenerated({ generated, dbType }: Pick<RawField, "generated" | "dbType">): boolean {
  const type = parsedType(dbType);
  return generated || (type !== null && rowOfDbType(type)?.readOnly === true);
}

/** How the database holds a model that has passed the checks. */
export function resolveStored(node: ModelNode, serviceSchema: string | null): StoredModel {
  const { raw } = node;
  const sent = raw.idType === "string" || raw.columns.get("id")?.value?.generated?.value === false;
  const shared = rawKeyField(node) !== undefined;
  const hasId = hasRuntimeColumn(raw, "id");
  return {
    // Names without a schema are those of Kirak's tables then.
    schemaName: raw.schemaName?.value ?? (serviceSchema === null || raw.builtIn ? null : "public"),
    idType: raw.idType,
    idSent: hasId && !raw.readOnly && !shared && sent && raw.idType !== "uuid",
    columns: {
      id: storedColumn(node, "id", !sent && !shared),
      created_at: storedColumn(node, "created_at", false),
      updated_at: storedColumn(node, "updated_at", false),
      deleted_at: storedColumn(node, "deleted_at", false),
    },
    orderKey: raw.orderKey?.fields.map(({ value }) => value) ?? null,
    readOnly: raw.readOnly,
    view: raw.view,
    triggerMessages: raw.triggerMessages,
  };
}

function storedColumn(node: ModelNode, column: RuntimeColumn, isGenerated: boolean): StoredColumn | null {
  if (!hasRuntimeColumn(node.raw, column)) return null;
  const given = runtimeColumn(node.raw, column);
  const type = parsedType(given?.dbType ?? null);
  return {
    name: given?.column?.value ?? column,
    described: given !== null,
    dbType: type === null ? null : differing(type, runtimeTypes[column === "id" ? node.raw.idType : "time"]),
    nullable: column === "deleted_at" || (given?.nullable ?? false),
    generated: given?.generated?.value ?? isGenerated,
    outOfRange: (given?.outOfRange ?? null) === null ? null : "null",
  };
}

/** The types that migrations give runtime columns. */
const runtimeTypes = {
  integer: "bigint",
  bigint: "bigint",
  uuid: "uuid",
  string: "varchar(255)",
  time: "timestamptz(3)",
} as const;

/** How the database holds a field that has passed the checks. */
export function resolveStoredField(
  field: RawField,
  type: DbType | null,
  resolved: Pick<FieldDefinition, "kind" | "maxLength" | "decimal">,
): StoredField {
  // A `numeric` without a size is the only type of its field.
  const own = resolved.kind.startsWith("decimal") && resolved.decimal === null ? null : columnType(resolved);
  return {
    column: field.column?.value ?? field.name,
    dbType: type === null ? null : differing(type, own),
    generated: isGenerated(field),
    sqlDefault: field.sqlDefault,
    outOfRange: field.outOfRange === null ? null : "null",
  };
}

/** The text of a type; null if a model without it has the same column. */
function differing(type: DbType, own: string | null): string | null {
  const text = dbTypeText(type);
  return text === own ? null : text;
}
