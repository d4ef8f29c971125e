import { elementKindOf, fieldKinds } from "../../vocabulary/fields/field-kinds.ts";
import type { Check, Column, ForeignKey, Index } from "../../vocabulary/migrations/migration-steps.ts";
import { columnType } from "../definition/column-type.ts";
import type { FieldDefinition, ModelDefinition, ServiceDefinition } from "../definition/definition.ts";
import { enumCheckName } from "../definition/names.ts";
import { asStored } from "../output/lock-file.ts";
import type { Table } from "./schema.ts";

/** The tables that a service needs, in the order of its models. */
export function tablesOf(definition: ServiceDefinition): Table[] {
  return definition.models.map(tableOf);
}

function tableOf(model: ModelDefinition): Table {
  return {
    model: model.key,
    name: model.table,
    columns: [idColumn(model.idType), ...model.fields.map(columnOf), ...timeColumns(model.softDelete)],
    indexes: indexesOf(model),
    foreignKeys: model.fields.flatMap(foreignKeysOf),
    checks: [
      ...model.fields.flatMap((field) => checksOf(model.table, field)),
      ...model.checks.map(({ constraint, condition }) => ({
        name: constraint,
        condition: asStored(condition),
      })),
    ],
  };
}

/** The primary key of a model. */
export function idColumn(idType: ModelDefinition["idType"]): Column {
  return idType === "uuid"
    ? { name: "id", type: "uuid", nullable: false, default: "random_uuid" }
    : { name: "id", type: "bigint", nullable: false, default: "identity" };
}

/** The time columns that the runtime fills. */
export function timeColumns(softDelete: boolean): Column[] {
  const time = { type: "timestamptz(3)", nullable: false, default: "now" } as const;
  return [
    { name: "created_at", ...time },
    { name: "updated_at", ...time },
    ...(softDelete ? [{ name: "deleted_at", type: "timestamptz(3)", nullable: true } as const] : []),
  ];
}

/** The column of a field. */
export function columnOf(
  field: Pick<FieldDefinition, "name" | "kind" | "nullable" | "default" | "maxLength" | "decimal">,
): Column {
  const column = { name: field.name, type: columnType(field), nullable: field.nullable };
  // The default of a password is plain text, and the database must hold only hashes.
  if (field.kind === "password") return { ...column, secret: true };
  return field.default === undefined ? column : { ...column, default: { literal: asStored(field.default) } };
}

function indexesOf(model: ModelDefinition): Index[] {
  return [
    ...model.uniqueKeys.map(({ name, fields }) => ({
      name,
      columns: fields,
      unique: true,
      live: model.softDelete,
    })),
    ...model.indexes.map(({ name, fields }) => ({
      name,
      columns: fields,
      unique: false,
      live: false,
      ...(fields.some((field) => isList(model, field)) ? ({ method: "gin" } as const) : {}),
    })),
  ];
}

function isList({ fields }: ModelDefinition, name: string): boolean {
  return fields.some((field) => field.name === name && elementKindOf(field.kind) !== null);
}

function foreignKeysOf({ name: column, foreignKey }: FieldDefinition): ForeignKey[] {
  if (foreignKey === null) return [];
  const { name, table, column: referenced, onDelete } = foreignKey;
  return [{ name, column, references: { table, column: referenced }, onDelete }];
}

function checksOf(table: string, { name: column, kind, enum: allowed }: FieldDefinition): Check[] {
  if (allowed === null) return [];
  const type = fieldKinds[kind].column;
  const elements = elementKindOf(kind) === null || type === "jsonb" ? {} : { elements: type };
  return [{ name: enumCheckName(table, column), column, oneOf: asStored(allowed), ...elements }];
}
