import type { CatalogColumn, CatalogConstraint, CatalogTable } from "../../vocabulary/migrations/catalog.ts";
import type { FieldType } from "./column-types.ts";
import type { ModelName } from "./model-names.ts";

/** A column that a model keeps. */
export interface DraftColumn {
  readonly source: CatalogColumn;
  readonly place: "id" | "runtime" | "field";
  /** Its name in the model. */
  readonly name: string;
  readonly type: FieldType;
}

/** A table that becomes a model. */
export interface Draft extends ModelName {
  readonly source: CatalogTable;
  readonly columns: readonly DraftColumn[];
  readonly primaryKey: CatalogConstraint | null;
  /** Whether rows keep their ids. Otherwise they get new ids in addition to the former key. */
  readonly keepsIds: boolean;
  readonly idType: "integer" | "uuid";
  readonly softDelete: boolean;
}

/** The field that a column became, by the column's name. */
export function fieldOf(draft: Draft, column: string): DraftColumn | null {
  return draft.columns.find(({ source, place }) => place === "field" && source.name === column) ?? null;
}
