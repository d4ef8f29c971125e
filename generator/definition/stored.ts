import { columnLimits, type FieldConstraints } from "../../vocabulary/fields/field-schema.ts";
import type { RuntimeColumn } from "../../vocabulary/fields/runtime-columns.ts";

/** A runtime column as the table has it. */
export interface StoredColumn {
  readonly name: string;
  /** Whether the models file describes it. It can then lack the default that migrations give a time column. */
  readonly described: boolean;
  /** Its physical type. Null for the type that migrations give the column. */
  readonly dbType: string | null;
  readonly nullable: boolean;
  /** Whether the database fills it in. The server sets other time columns, and the caller sends other ids. */
  readonly generated: boolean;
  /** The answer for times outside the API's range. Without it such a time is an error. */
  readonly outOfRange: "null" | null;
}

/** How the database holds the rows of a model: docs/existing-tables.md. */
export interface StoredModel {
  /** Null for the first schema of the connection's search path. */
  readonly schemaName: string | null;
  readonly idType: IdType;
  /** Whether the caller sends the id of a new row. */
  readonly idSent: boolean;
  /** Null for a column that the table does not have. Without soft delete `deleted_at` is null. */
  readonly columns: Readonly<Record<RuntimeColumn, StoredColumn | null>>;
  /** The fields that order rows without an id. Null if rows have an id, or if no fields are named. */
  readonly orderKey: readonly string[] | null;
  /** Whether the model has only the operations that read. */
  readonly readOnly: boolean;
  /** Whether the table is a view or a materialised view. */
  readonly view: boolean;
  /** Whether answers contain the messages that triggers raise. */
  readonly triggerMessages: boolean;
}

export type IdType = "integer" | "uuid" | "bigint" | "string";

/** How the database holds the values of a field. */
export interface StoredField {
  readonly column: string;
  /** Its physical type, as `dbTypeText()` prints it. Null for the type that migrations give the field. */
  readonly dbType: string | null;
  /** Whether only the database fills it in. Callers cannot write it. */
  readonly generated: boolean;
  /** Whether its default is an expression of the database, which migrations do not change. */
  readonly sqlDefault: boolean;
  /** The answer for values outside the API's range. Without it such a value is an error. */
  readonly outOfRange: "null" | null;
}

/** The foreign key that has the column of the id; null if the id has its own column. Callers send it on create and cannot change it. */
export function keyField<Field extends StoredField>({
  columns,
  fields,
}: Pick<StoredModel, "columns"> & { readonly fields: readonly Field[] }): Field | null {
  const { id } = columns;
  return id === null ? null : (fields.find(({ column }) => column === id.name) ?? null);
}

/** The kinds of ids. Ids of 64 bits are exact, and text in JSON. */
export const idKinds = { integer: "bigint", bigint: "int64", uuid: "uuid", string: "string" } as const;

/** The constraints of ids in requests. */
export function idConstraints({
  idType,
  columns,
}: Pick<StoredModel, "idType" | "columns">): FieldConstraints {
  const kind = idKinds[idType];
  const dbType = columns.id?.dbType ?? null;
  const limits = columnLimits({ dbType });
  return {
    kind,
    dbType,
    minLength: kind === "string" ? 1 : null,
    maxLength: limits?.maxLength ?? null,
    minimum: limits?.minimum ?? null,
    maximum: limits?.maximum ?? null,
  };
}

/** Whether the answered value of a field can be null. */
export function isAnsweredNull({
  nullable,
  outOfRange,
}: Pick<StoredField, "outOfRange"> & { readonly nullable: boolean }): boolean {
  return nullable || outOfRange !== null;
}
