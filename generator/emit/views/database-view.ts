import { isUserField } from "../../../vocabulary/accounts/user-fields.ts";
import { elementKindOf, type FieldKind, fieldKinds } from "../../../vocabulary/fields/field-kinds.ts";
import type { FieldDefinition, ModelDefinition, ServiceDefinition } from "../../definition/definition.ts";
import { idKinds, keyField } from "../../definition/stored.ts";
import { tableNameOf } from "../../migrations/snapshot.ts";
import { type Import, importFromKirak } from "../file.ts";
import { literal, propertyName } from "../literal.ts";

/** The view of `templates/database.hbs`: the tables of the models, for Kysely. */
export interface DatabaseView {
  readonly imports: readonly Import[];
  readonly tables: readonly DatabaseTable[];
}

interface Property {
  readonly name: string;
  readonly type: string;
}

/** Its name has the schema, if that is not the first one of the search path. */
interface DatabaseTable extends Property {
  readonly columns: readonly Property[];
}

/** The view of `database.ts`. */
export function databaseView({ models }: ServiceDefinition): DatabaseView {
  const tables = models.map((model) => ({
    name: propertyName(tableNameOf(model)),
    type: `${model.typeName}Table`,
    columns: columnsOf(model).map((column) => ({ name: propertyName(column.name), type: typeOf(column) })),
  }));
  const literals = /"(?:[^"\\]|\\.)*"/g;
  const types = tables
    .flatMap(({ columns }) => columns.map(({ type }) => type))
    .join("\n")
    .replace(literals, "");
  const names = ["BoundJson", "ColumnType", "Generated", "GeneratedAlways", "Json"].filter((name) =>
    new RegExp(`\\b${name}\\b`).test(types),
  );
  const imports = names.length === 0 ? [] : [{ from: importFromKirak("kysely"), names, typeOnly: true }];
  return { imports, tables };
}

/** How statements write a column; `optional`: without a value, the database fills it in. */
type Written = "required" | "optional" | "updates only" | "never";

interface Column extends Pick<FieldDefinition, "kind" | "dbType" | "enum" | "nullable"> {
  readonly name: string;
  readonly written: Written;
}

/** The columns of a model, without passwords, which hold hashes that only the service makes. */
function columnsOf(model: ModelDefinition): Column[] {
  const { builtIn, fields, idSent, idType, readOnly } = model;
  const { id, created_at, updated_at, deleted_at } = model.columns;
  // Statements do not write a view, or the accounts, which their routes write.
  const written = (isFilled: boolean): Written =>
    readOnly || builtIn ? "never" : isFilled ? "optional" : "required";
  const columns: Column[] = [];
  if (id !== null && keyField(model) === null)
    columns.push({ ...id, kind: idKinds[idType], enum: null, written: written(!idSent) });
  for (const field of fields) {
    if (field.kind === "password") continue;
    const isAdded = builtIn && !isUserField(field.name);
    const ofField = isAdded ? "updates only" : written(field.sqlDefault || field.default !== undefined);
    columns.push({ ...field, name: field.column, written: field.generated ? "never" : ofField });
  }
  for (const time of [created_at, updated_at, deleted_at]) {
    if (time === null) continue;
    // Another tool can have made a described column without a default.
    const isFilled = time.generated || !time.described;
    columns.push({ ...time, kind: "datetime", enum: null, written: written(isFilled) });
  }
  return columns;
}

/** The type of a column for Kysely. A nullable column is optional in an insert. */
function typeOf({ written, nullable, ...typed }: Column): string {
  const types = valueTypes(typed);
  // `Json` already includes null.
  const orNull = (type: string) => (nullable && type !== "Json" ? `${type} | null` : type);
  const [read, bound] = [orNull(types.read), orNull(types.bound)];
  if (written === "never") return `GeneratedAlways<${read}>`;
  if (written === "updates only") return `ColumnType<${read}, never, ${bound}>`;
  const isOptional = written === "optional" && !nullable;
  if (read === bound) return isOptional ? `Generated<${read}>` : read;
  return `ColumnType<${read}, ${bound}${isOptional ? " | undefined" : ""}, ${bound}>`;
}

/** The type of a value that a query returns, and of one that a statement binds. */
interface ValueTypes {
  readonly read: string;
  readonly bound: string;
}

const texts: readonly FieldKind[] = ["string", "text", "email"];

function valueTypes({ kind, dbType, enum: allowed }: Pick<Column, "kind" | "dbType" | "enum">): ValueTypes {
  const element = elementKindOf(kind);
  const one = scalarTypes(element ?? kind, dbType, allowed);
  if (element === null) return one;
  // The driver returns the text of lists of enum types, of `citext` and of similar types.
  const isRead =
    dbType === null || !texts.includes(element) || /^(?:varchar|char|text)(?:\(\d+\))?\[\]$/.test(dbType);
  return { read: isRead ? listOf(one.read) : "string", bound: listOf(one.bound) };
}

/** Types whose values are bound in more forms than they are read, or read in more forms than the API has. */
const others: ReadonlyMap<FieldKind, ValueTypes> = new Map([
  ["int64", { read: "number | string", bound: "bigint | number | string" }],
  ["decimal", { read: "string", bound: "number | string" }],
  ["datetime", { read: "string", bound: "Date | string" }],
  ["json", { read: "Json", bound: "BoundJson" }],
]);

function scalarTypes(kind: FieldKind, dbType: string | null, allowed: Column["enum"]): ValueTypes {
  const type = allowed?.map(literal).join(" | ") ?? fieldKinds[kind].typescript;
  // The database prints values of `char(n)` in another form than the models file.
  const isPadded = dbType?.startsWith("char(") === true;
  return others.get(kind) ?? (isPadded ? { read: "string", bound: "string" } : { read: type, bound: type });
}

function listOf(type: string): string {
  return type.includes(" | ") ? `(${type})[]` : `${type}[]`;
}
