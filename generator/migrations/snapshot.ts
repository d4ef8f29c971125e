import { withColumnNames } from "../../vocabulary/conditions/check-tree.ts";
import { isDbTypeName, parseDbType } from "../../vocabulary/fields/db-types.ts";
import { elementKindOf, fieldKinds } from "../../vocabulary/fields/field-kinds.ts";
import type {
  Check,
  Column,
  ForeignKey,
  Index,
  PrimaryKey,
} from "../../vocabulary/migrations/migration-steps.ts";
import { columnType, storedType } from "../definition/column-type.ts";
import type { FieldDefinition, ModelDefinition, ServiceDefinition } from "../definition/definition.ts";
import { enumCheckName, primaryKeyName } from "../definition/names.ts";
import { type IdType, keyField, type StoredColumn, type StoredField } from "../definition/stored.ts";
import { asStored } from "../output/lock-file.ts";
import type { Table } from "./schema.ts";

/** The tables that a service needs, in the order of its models. Migrations do not make views. */
export function tablesOf(definition: ServiceDefinition): Table[] {
  const models = new Map(definition.models.map((model) => [model.key, model]));
  return definition.models.filter(({ view }) => !view).map((model) => tableOf(model, models));
}

/** The table of a model in steps and snapshots: `sales.orders`, or `orders` in the first schema of the search path. */
export function tableNameOf({
  schemaName,
  table,
  builtIn,
}: Pick<ModelDefinition, "schemaName" | "table" | "builtIn">): string {
  return schemaName === null || builtIn ? table : `${schemaName}.${table}`;
}

function tableOf(model: ModelDefinition, models: ReadonlyMap<string, ModelDefinition>): Table {
  const shared = keyField(model);
  const names = (fields: readonly string[]) => fields.map((field) => physicalColumn(model, field));
  return {
    model: model.key,
    name: tableNameOf(model),
    ...primaryKeyOf(model),
    columns: [
      ...(shared === null ? idColumnOf(model) : []),
      ...model.fields.map(columnOf),
      ...timeColumnsOf(model),
    ],
    indexes: indexesOf(model, names),
    foreignKeys: model.fields.flatMap((field) => foreignKeysOf(field, models)),
    checks: [
      ...model.fields.flatMap((field) => checksOf(model.table, field)),
      ...model.checks.map(({ constraint, condition }) => ({
        name: constraint,
        condition: asStored(withColumnNames(condition, (field) => physicalColumn(model, field))),
      })),
    ],
  };
}

/** The column of a field or of a runtime column. */
function physicalColumn({ fields, columns }: ModelDefinition, name: string): string {
  const field = fields.find((one) => one.name === name);
  if (field !== undefined) return field.column;
  return Object.entries(columns).find(([column]) => column === name)?.[1]?.name ?? name;
}

/** The primary key, if it is not a column `id`. Rows without an id have the key that orders them. */
function primaryKeyOf(model: ModelDefinition): { primaryKey?: PrimaryKey } {
  const { columns, orderKey, table } = model;
  const id = columns.id?.name;
  const name = primaryKeyName(table);
  if (id !== undefined)
    return id === "id" && keyField(model) === null ? {} : { primaryKey: { name, columns: [id] } };
  const key = model.fields.filter((field) => orderKey?.includes(field.name) && !field.nullable);
  if (orderKey === null || key.length < orderKey.length) return {};
  return { primaryKey: { name, columns: orderKey.map((field) => physicalColumn(model, field)) } };
}

function idColumnOf({ columns: { id }, idType, idSent }: ModelDefinition): Column[] {
  if (id === null) return [];
  const usual = idColumn(idType);
  const type = id.dbType === null ? usual.type : storedType(id.dbType);
  const column = { name: id.name, type, nullable: false };
  return [idSent || usual.default === undefined ? column : { ...column, default: usual.default }];
}

/** The primary key that migrations give a model. */
export function idColumn(idType: IdType): Column {
  if (idType === "string") return { name: "id", type: "varchar(255)", nullable: false };
  return idType === "uuid"
    ? { name: "id", type: "uuid", nullable: false, default: "random_uuid" }
    : { name: "id", type: "bigint", nullable: false, default: "identity" };
}

function timeColumnsOf({ columns, softDelete }: ModelDefinition): Column[] {
  const { created_at, updated_at, deleted_at } = columns;
  const stored = [created_at, updated_at, ...(softDelete ? [deleted_at] : [])];
  return stored.flatMap((column) => (column === null ? [] : [timeColumn(column)]));
}

type TimeColumn = Pick<StoredColumn, "name" | "dbType" | "nullable" | "generated">;

function timeColumn({ name, dbType, nullable, generated }: TimeColumn): Column {
  const type = dbType === null ? "timestamptz(3)" : storedType(dbType);
  if (generated) return { name, type, nullable, default: "unmanaged" };
  return { name, type, nullable, ...(nullable ? {} : { default: "now" }) };
}

/** The time columns that the runtime fills. */
export function timeColumns(softDelete: boolean): Column[] {
  const time = { dbType: null, nullable: false, generated: false } as const;
  return [
    timeColumn({ name: "created_at", ...time }),
    timeColumn({ name: "updated_at", ...time }),
    ...(softDelete ? [timeColumn({ name: "deleted_at", ...time, nullable: true })] : []),
  ];
}

type ColumnField = Pick<FieldDefinition, "name" | "kind" | "nullable" | "default" | "maxLength" | "decimal"> &
  Partial<StoredField & Pick<FieldDefinition, "enum">>;

/** The column of a field. */
export function columnOf(field: ColumnField): Column {
  const { name, kind, nullable, dbType = null, generated = false, sqlDefault = false } = field;
  const type = dbType === null ? columnType(field) : storedType(dbType);
  const column = { name: field.column ?? name, type, nullable, ...valuesOf(field) };
  // The default of a password is plain text, and the database must hold only hashes.
  if (kind === "password") return { ...column, secret: true };
  if (generated || sqlDefault) return { ...column, default: "unmanaged" };
  return field.default === undefined ? column : { ...column, default: { literal: asStored(field.default) } };
}

/** The values of a column with an enum type. */
function valuesOf({ dbType = null, enum: values = null }: ColumnField): Pick<Column, "values"> {
  return values !== null && isEnumType(dbType) ? { values: values.map(String) } : {};
}

function isEnumType(dbType: string | null): boolean {
  const type = dbType === null ? null : parseDbType(dbType);
  return type !== null && !("problem" in type) && !isDbTypeName(type.name);
}

function indexesOf(model: ModelDefinition, names: (fields: readonly string[]) => string[]): Index[] {
  const deletedAt = model.columns.deleted_at?.name ?? "deleted_at";
  const live = model.softDelete && deletedAt !== "deleted_at" ? { liveColumn: deletedAt } : {};
  return [
    ...model.uniqueKeys.map(({ name, fields }) => ({
      name,
      columns: names(fields),
      unique: true,
      live: model.softDelete,
      ...live,
    })),
    ...model.indexes.map(({ name, fields }) => ({
      name,
      columns: names(fields),
      unique: false,
      live: false,
      ...(fields.some((field) => isList(model, field)) ? ({ method: "gin" } as const) : {}),
    })),
  ];
}

function isList({ fields }: ModelDefinition, name: string): boolean {
  return fields.some((field) => field.name === name && elementKindOf(field.kind) !== null);
}

function foreignKeysOf(
  { column, foreignKey }: FieldDefinition,
  models: ReadonlyMap<string, ModelDefinition>,
): ForeignKey[] {
  if (foreignKey === null) return [];
  const { name, onDelete } = foreignKey;
  const target = models.get(foreignKey.model);
  // PostgreSQL has no foreign keys to views.
  if (target?.view === true) return [];
  const references =
    target === undefined
      ? { table: foreignKey.table, column: foreignKey.column }
      : { table: tableNameOf(target), column: physicalColumn(target, foreignKey.column) };
  return [{ name, column, references, onDelete }];
}

function checksOf(table: string, { column, name, kind, enum: allowed, dbType }: FieldDefinition): Check[] {
  if (allowed === null || isEnumType(dbType)) return [];
  const type = fieldKinds[kind].column;
  const elements = elementKindOf(kind) === null || type === "jsonb" ? {} : { elements: type };
  return [{ name: enumCheckName(table, name), column, oneOf: asStored(allowed), ...elements }];
}
