import { type DbType, isDbTypeName, parseDbType } from "../../vocabulary/fields/db-types.ts";
import { elementKindOf, type FieldKindRow, fieldKinds } from "../../vocabulary/fields/field-kinds.ts";
import { sqlTable } from "../../vocabulary/migrations/check-sql.ts";
import type {
  AdoptedElementType,
  ColumnType,
  ElementColumnType,
  FoundElementType,
} from "../../vocabulary/migrations/migration-steps.ts";
import { defaults } from "./defaults.ts";
import type { FieldDefinition } from "./definition.ts";

/** The column type that migrations give a field without a `db_type`. */
export function columnType(field: Pick<FieldDefinition, "kind" | "maxLength" | "decimal">): ColumnType {
  const { column } = fieldKinds[field.kind];
  if (column === "jsonb") return column;
  const type = sizedType(column, field);
  return elementKindOf(field.kind) === null ? type : `${type}[]`;
}

/** The column type of a `db_type`. */
export function storedType(dbType: string): ColumnType {
  const type = parseDbType(dbType);
  if ("problem" in type) throw new Error(`${dbType} ${type.problem}`);
  const one = elementType(type);
  if (one === "json" || one === "jsonb") return one;
  return type.isList ? `${one}[]` : one;
}

function elementType({
  name,
  size: [first, second],
}: DbType): ElementColumnType | AdoptedElementType | FoundElementType | "json" | "jsonb" {
  if (!isDbTypeName(name)) return quoted(name);
  switch (name) {
    case "numeric":
      if (first === undefined) return name;
      return second === undefined ? `numeric(${first})` : `numeric(${first},${second})`;
    case "char":
      return `char(${first ?? 1})`;
    case "varchar":
    case "timestamptz":
    case "timestamp":
    case "time":
      return first === undefined ? name : `${name}(${first})`;
    default:
      return name;
  }
}

/** The name of an enum type, possibly with its schema, as SQL. */
function quoted(name: string): `"${string}"` {
  const sql = sqlTable(name);
  return `"${sql.slice(1, -1)}"`;
}

function sizedType(
  column: Exclude<FieldKindRow["column"], "jsonb">,
  { maxLength, decimal }: Pick<FieldDefinition, "maxLength" | "decimal">,
): ElementColumnType | "numeric" {
  if (column === "varchar") return `varchar(${maxLength ?? defaults.stringLength})`;
  if (column !== "numeric") return column;
  return decimal === null ? "numeric" : `numeric(${decimal.precision},${decimal.scale})`;
}
