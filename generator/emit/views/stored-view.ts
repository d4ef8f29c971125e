import { isOrderable } from "../../../vocabulary/fields/filter-operators.ts";
import { type RuntimeColumn, runtimeColumns } from "../../../vocabulary/fields/runtime-columns.ts";
import type { FieldDefinition, KeyDefinition, ModelDefinition } from "../../definition/definition.ts";
import { keyField, type StoredColumn, type StoredField } from "../../definition/stored.ts";

/** How the table of a model differs from a table that Kirak makes, as the runtime's `Model` has it. */
export function storedModel(model: ModelDefinition) {
  const columns = storedColumns(model);
  return {
    ...(model.schemaName !== null && { schema: model.schemaName }),
    ...(columns.length > 0 && { columns: Object.fromEntries(columns) }),
    ...(model.idSent && { idSent: true as const }),
    ...(model.readOnly && { readOnly: true as const }),
    ...(model.view && { view: true as const }),
    ...(model.columns.id === null && { orderKey: usualOrderOf(model) }),
    ...(model.triggerMessages && { triggerMessages: true as const }),
  };
}

function storedColumns(model: ModelDefinition): [RuntimeColumn, StoredTime | null][] {
  return runtimeColumns.flatMap((name): [RuntimeColumn, StoredTime | null][] => {
    const column = model.columns[name];
    // Without soft delete no table has the column.
    if (column === null) return name === "deleted_at" ? [] : [[name, null]];
    const differs = column.described || column.dbType !== null;
    return differs ? [[name, storedColumn(name, column)]] : [];
  });
}

/** A runtime column, as the runtime's `StoredTime` has it. */
type StoredTime = ReturnType<typeof storedColumn>;

function storedColumn(
  name: RuntimeColumn,
  { name: column, dbType, nullable, generated, outOfRange }: StoredColumn,
) {
  const isTime = name === "created_at" || name === "updated_at";
  return {
    column,
    ...(dbType !== null && { dbType }),
    ...(isTime && nullable && { nullable: true as const }),
    ...(isTime && generated && { generated: true as const }),
    ...(outOfRange !== null && { outOfRange }),
  };
}

/**
 * The fields that order rows if a request names no order. Without an id and a declared order: those that requests can order by and
 * everyone can read.
 */
export function usualOrderOf({ columns, orderKey, fields, access }: ModelDefinition): readonly string[] {
  if (columns.id !== null) return ["id"];
  if (orderKey !== null) return orderKey;
  const closed = new Set(access.fields.flatMap(({ field, read }) => (read === null ? [] : [field])));
  return fields.filter((field) => isOrderable(field) && !closed.has(field.name)).map(({ name }) => name);
}

/** How the column of a field differs from a column that Kirak makes, as the runtime's `Field` has it. */
export function storedField({
  name,
  column,
  dbType,
  generated,
  sqlDefault,
  outOfRange,
}: StoredField & Pick<FieldDefinition, "name">) {
  return {
    ...(column !== name && { column }),
    ...(dbType !== null && { dbType }),
    ...(generated && { generated: true as const }),
    ...(sqlDefault && { sqlDefault: true as const }),
    ...(outOfRange !== null && { outOfRange }),
  };
}

/** The unique keys of a model. A key that is a foreign key as well is one of them, so that an upsert finds its row. */
export function keysWithId(model: ModelDefinition): readonly KeyDefinition[] {
  const key = keyField(model);
  const isKnown = model.uniqueKeys.some(({ fields }) => fields.join() === key?.name);
  if (key === null || isKnown) return model.uniqueKeys;
  return [...model.uniqueKeys, { name: `${model.table}_pkey`, fields: [key.name] }];
}
