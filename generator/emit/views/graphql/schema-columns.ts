import { comparedByDbType } from "../../../../vocabulary/fields/db-types.ts";
import { elementKindOf, type FieldKind, fieldKinds } from "../../../../vocabulary/fields/field-kinds.ts";
import type { RuntimeColumn } from "../../../../vocabulary/fields/runtime-columns.ts";
import { enumFilter, fieldEnumType } from "../../../../vocabulary/graphql/names.ts";
import type { FieldDefinition, ModelDefinition } from "../../../definition/definition.ts";
import { idKinds, isAnsweredNull } from "../../../definition/stored.ts";

/** A column in the schema: a field or a runtime column. */
export interface SchemaColumn {
  readonly name: string;
  readonly kind: FieldKind;
  /** Its type, without `!`. */
  readonly type: string;
  /** The type of its column, if it is not the one of the kind. */
  readonly dbType: string | null;
  readonly nullable: boolean;
  readonly hasEnum: boolean;
  readonly description: string | null;
  /** Null for a runtime column. */
  readonly field: FieldDefinition | null;
}

const known = new WeakMap<ModelDefinition, readonly SchemaColumn[]>();

/** The readable columns of a model, in the order of its rows. */
export function readableColumns(model: ModelDefinition): readonly SchemaColumn[] {
  const found = known.get(model) ?? columnsOf(model).filter((column) => isReadable(model, column));
  known.set(model, found);
  return found;
}

/** The writable fields of a model. */
export function writableColumns(model: ModelDefinition): SchemaColumn[] {
  if (model.readOnly) return [];
  const closed = new Set(
    model.access.fields.flatMap(({ field, write }) => (write?.length === 0 ? [field] : [])),
  );
  return model.fields.filter(({ name }) => !closed.has(name)).map((field) => fieldColumn(model, field));
}

function columnsOf(model: ModelDefinition): SchemaColumn[] {
  return [
    ...serverColumn(model, "id", idKinds[model.idType]),
    ...model.fields.map((field) => fieldColumn(model, field)),
    ...serverColumn(model, "created_at", "datetime"),
    ...serverColumn(model, "updated_at", "datetime"),
    ...serverColumn(model, "deleted_at", "datetime"),
  ];
}

function isReadable({ access }: ModelDefinition, { name, kind }: SchemaColumn): boolean {
  if (kind === "password") return false;
  return access.fields.find(({ field }) => field === name)?.read?.length !== 0;
}

function fieldColumn({ typeName }: ModelDefinition, field: FieldDefinition): SchemaColumn {
  const { name, kind, dbType, description } = field;
  const nullable = isAnsweredNull(field);
  const type = enumValues(field) === null ? fieldKinds[kind].graphql.value : enumType(typeName, field);
  return { name, kind, type, dbType, nullable, hasEnum: field.enum !== null, description, field };
}

function enumType(typeName: string, { name, kind }: FieldDefinition): string {
  const type = fieldEnumType(typeName, name);
  return elementKindOf(kind) === null ? type : `[${type}!]`;
}

/** A runtime column, if the table has it. */
function serverColumn({ columns }: ModelDefinition, name: RuntimeColumn, kind: FieldKind): SchemaColumn[] {
  const stored = columns[name];
  if (stored === null) return [];
  const { dbType } = stored;
  const nullable = isAnsweredNull(stored);
  const type = fieldKinds[kind].graphql.value;
  return [{ name, kind, type, dbType, nullable, hasEnum: false, description: null, field: null }];
}

/** The type of a filter on a column; null for a password. The filter of a list does not depend on the type of its elements. */
export function filterType(column: SchemaColumn): string | null {
  const { kind, hasEnum } = column;
  const hasEquality = hasEnum || comparedByDbType(column) === "for equality";
  return hasEquality && elementKindOf(kind) === null ? enumFilter : fieldKinds[kind].graphql.filter;
}

/** The values of an enum; null if a value is not a valid name in GraphQL. */
export function enumValues(field: FieldDefinition): readonly string[] | null {
  const values = field.enum?.flatMap((value) => (isEnumValue(value) ? [value] : [])) ?? [];
  return values.length > 0 && values.length === field.enum?.length ? values : null;
}

/** Whether a value is a valid GraphQL enum value. GraphQL reserves names with two leading underscores. */
export function isEnumValue(value: string | number): value is string {
  return typeof value === "string" && /^(?!__|(?:true|false|null)$)[A-Za-z_][A-Za-z0-9_]*$/.test(value);
}
