import { elementKindOf, type FieldKind, fieldKinds } from "../../../../vocabulary/fields/field-kinds.ts";
import { enumFilter, fieldEnumType } from "../../../../vocabulary/graphql/names.ts";
import type { FieldDefinition, ModelDefinition } from "../../../definition/definition.ts";

/** A column in the schema: a field or a runtime column. */
export interface SchemaColumn {
  readonly name: string;
  readonly kind: FieldKind;
  /** Its type, without `!`. */
  readonly type: string;
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
  const closed = new Set(
    model.access.fields.flatMap(({ field, write }) => (write?.length === 0 ? [field] : [])),
  );
  return model.fields.filter(({ name }) => !closed.has(name)).map((field) => fieldColumn(model, field));
}

function columnsOf(model: ModelDefinition): SchemaColumn[] {
  return [
    serverColumn("id", model.idType === "uuid" ? "uuid" : "bigint"),
    ...model.fields.map((field) => fieldColumn(model, field)),
    serverColumn("created_at", "datetime"),
    serverColumn("updated_at", "datetime"),
    ...(model.softDelete ? [{ ...serverColumn("deleted_at", "datetime"), nullable: true }] : []),
  ];
}

function isReadable({ access }: ModelDefinition, { name, kind }: SchemaColumn): boolean {
  if (kind === "password") return false;
  return access.fields.find(({ field }) => field === name)?.read?.length !== 0;
}

function fieldColumn({ typeName }: ModelDefinition, field: FieldDefinition): SchemaColumn {
  const { name, kind, nullable, description } = field;
  const type = enumValues(field) === null ? fieldKinds[kind].graphql.value : enumType(typeName, field);
  return { name, kind, type, nullable, hasEnum: field.enum !== null, description, field };
}

function enumType(typeName: string, { name, kind }: FieldDefinition): string {
  const type = fieldEnumType(typeName, name);
  return elementKindOf(kind) === null ? type : `[${type}!]`;
}

function serverColumn(name: string, kind: FieldKind): SchemaColumn {
  const type = fieldKinds[kind].graphql.value;
  return { name, kind, type, nullable: false, hasEnum: false, description: null, field: null };
}

/** The type of a filter on a column; null for a password. The filter of a list does not depend on an enum of its elements. */
export function filterType({ kind, hasEnum }: SchemaColumn): string | null {
  return hasEnum && elementKindOf(kind) === null ? enumFilter : fieldKinds[kind].graphql.filter;
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
