import { isUserField } from "../../../vocabulary/accounts/user-fields.ts";
import { isDbTypeName, parseDbType } from "../../../vocabulary/fields/db-types.ts";
import { elementKindOf, type FieldKind, fieldKinds } from "../../../vocabulary/fields/field-kinds.ts";
import type { FieldDefinition, ModelDefinition } from "../../definition/definition.ts";
import { idKinds, keyField, type StoredColumn } from "../../definition/stored.ts";
import { literal } from "../literal.ts";

/** A column as SQL sees it, with the TypeScript types of its values. */
export interface DatabaseColumn {
  readonly name: string;
  readonly types: ValueTypes;
  readonly nullable: boolean;
  readonly written: Written;
}

/** The type of a value that a query returns, and of one that a statement binds. */
interface ValueTypes {
  readonly read: string;
  readonly bound: string;
}

/** How statements write a column; `optional`: without a value, the database fills it in. */
type Written = "required" | "optional" | "updates only" | "never";

/** The columns of a model, without passwords, which hold hashes that only the service makes. */
export function databaseColumns(model: ModelDefinition): DatabaseColumn[] {
  const { columns, fields, softDelete } = model;
  const { created_at, updated_at, deleted_at } = columns;
  const times = [created_at, updated_at, ...(softDelete ? [deleted_at] : [])];
  return [
    ...idColumn(model),
    ...fields.filter(({ kind }) => kind !== "password").map((field) => columnOf(model, field)),
    ...times.flatMap((time) => (time === null ? [] : [timeColumn(model, time)])),
  ];
}

function idColumn(model: ModelDefinition): DatabaseColumn[] {
  const { id } = model.columns;
  if (id === null || keyField(model) !== null) return [];
  const types = typesOf({ kind: idKinds[model.idType], dbType: id.dbType, enum: null });
  const written = isFixed(model) ? "never" : model.idSent ? "required" : "optional";
  return [{ name: id.name, types, nullable: false, written }];
}

function columnOf(model: ModelDefinition, field: FieldDefinition): DatabaseColumn {
  const { column, nullable, generated, sqlDefault } = field;
  const added = model.builtIn && !isUserField(field.name);
  const filled = sqlDefault || field.default !== undefined;
  const written = added ? "updates only" : filled ? "optional" : "required";
  const isNever = generated || (isFixed(model) && !added);
  return { name: column, types: typesOf(field), nullable, written: isNever ? "never" : written };
}

function timeColumn(model: ModelDefinition, column: StoredColumn): DatabaseColumn {
  const { name, dbType, nullable, generated, described } = column;
  // Another tool can have made the column without a default.
  const written = described && !generated ? "required" : "optional";
  const types = typesOf({ kind: "datetime", dbType, enum: null });
  return { name, types, nullable, written: isFixed(model) ? "never" : written };
}

/** Whether statements do not write the table: a view, or the accounts, which their routes write. */
function isFixed({ readOnly, builtIn }: ModelDefinition): boolean {
  return readOnly || builtIn;
}

type Typed = Pick<FieldDefinition, "kind" | "dbType" | "enum">;

function typesOf({ kind, dbType, enum: allowed }: Typed): ValueTypes {
  const element = elementKindOf(kind);
  const { name = null, isEnum = false } = dbType === null ? {} : parsed(dbType);
  const one = enumType(element ?? kind, name, allowed) ?? scalarTypes(element ?? kind);
  if (element === null) return one;
  const bound = listOf(one.bound);
  // The driver does not know the elements of these arrays, and returns their text.
  return isEnum || (name !== null && unread.has(name))
    ? { read: "string", bound }
    : { read: listOf(one.read), bound };
}

const unread: ReadonlySet<string> = new Set([
  "citext",
  "name",
  "inet",
  "cidr",
  "macaddr",
  "ltree",
  "xml",
  "money",
  "interval",
  "tsvector",
]);

function parsed(text: string): { readonly name?: string; readonly isEnum?: boolean } {
  const type = parseDbType(text);
  return "problem" in type ? {} : { name: type.name, isEnum: !isDbTypeName(type.name) };
}

/** The allowed values as a type. Null without an enum, or if the database prints the values in another form. */
function enumType(kind: FieldKind, dbType: string | null, allowed: Typed["enum"]): ValueTypes | null {
  if (allowed === null || kind === "int64" || kind === "decimal" || dbType === "char") return null;
  const type = allowed.map(literal).join(" | ");
  return { read: type, bound: type };
}

/** Types whose values are bound in more forms than they are read, or read in more forms than the API has. */
const others: ReadonlyMap<FieldKind, ValueTypes> = new Map([
  ["int64", { read: "number | string", bound: "bigint | number | string" }],
  ["decimal", { read: "string", bound: "number | string" }],
  ["datetime", { read: "string", bound: "Date | string" }],
  ["json", { read: "Json", bound: "BoundJson" }],
]);

function scalarTypes(kind: FieldKind): ValueTypes {
  const { typescript } = fieldKinds[kind];
  return others.get(kind) ?? { read: typescript, bound: typescript };
}

function listOf(type: string): string {
  return type.includes(" | ") ? `(${type})[]` : `${type}[]`;
}
