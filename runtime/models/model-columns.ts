import type { DecimalSize } from "../../vocabulary/fields/exact-numbers.ts";
import type { FieldKind } from "../../vocabulary/fields/field-kinds.ts";
import { oncePer } from "../core/memo/index.ts";
import type { Model } from "./model.ts";

/** A stored field or runtime column, as every layer above SQL sees it. */
export interface Column {
  readonly name: string;
  readonly kind: FieldKind;
  readonly nullable: boolean;
  readonly enum: readonly (string | number)[] | null;
  readonly decimal: DecimalSize | null;
  readonly searchable: boolean;
}

export type Columns = ReadonlyMap<string, Column>;

/** The columns of a model in the order of its answers: `id`, the declared fields, the time stamps. */
export const columnsOf = oncePer(
  (model: Model): Columns => new Map(listColumns(model).map((column) => [column.name, column])),
);

function listColumns(model: Model): Column[] {
  return [
    runtimeColumn("id", model.id),
    ...Object.entries(model.fields).map(([name, field]) => ({
      name,
      kind: field.kind,
      nullable: field.nullable ?? false,
      enum: field.enum ?? null,
      decimal: field.decimal ?? null,
      searchable: field.searchable ?? false,
    })),
    runtimeColumn("created_at", "datetime"),
    runtimeColumn("updated_at", "datetime"),
    ...(model.softDelete ? [{ ...runtimeColumn("deleted_at", "datetime"), nullable: true }] : []),
  ];
}

function runtimeColumn(name: string, kind: FieldKind): Column {
  return { name, kind, nullable: false, enum: null, decimal: null, searchable: false };
}
