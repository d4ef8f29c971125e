import { elementKindOf, type FieldKindRow, fieldKinds } from "../../vocabulary/fields/field-kinds.ts";
import type { ColumnType, ElementColumnType } from "../../vocabulary/migrations/migration-steps.ts";
import { defaults } from "./defaults.ts";
import type { FieldDefinition } from "./definition.ts";

/** The column type that migrations give a field without a `db_type`. */
export function columnType(field: Pick<FieldDefinition, "kind" | "maxLength" | "decimal">): ColumnType {
  const { column } = fieldKinds[field.kind];
  if (column === "jsonb") return column;
  const type = sizedType(column, field);
  return elementKindOf(field.kind) === null ? type : `${type}[]`;
}

function sizedType(
  column: Exclude<FieldKindRow["column"], "jsonb">,
  { maxLength, decimal }: Pick<FieldDefinition, "maxLength" | "decimal">,
): ElementColumnType {
  if (column === "varchar") return `varchar(${maxLength ?? defaults.stringLength})`;
  if (column !== "numeric") return column;
  if (decimal === null) throw new Error("a decimal needs its precision and scale");
  return `numeric(${decimal.precision},${decimal.scale})`;
}
