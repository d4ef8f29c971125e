/** An object of a table or view that was there before Kirak. Migrations do not change it. */
export type FoundObject = {
  /** As in steps: `sales.orders` outside the first schema of the search path. */
  readonly table: string;
  readonly kind: FoundKind;
  /** For a default the column; for a view its name without the schema. */
  readonly name: string;
  /** A digest of its definition, to find later changes. */
  readonly digest: string;
};

export type FoundKind =
  | "default"
  | "index"
  | "primary_key"
  | "unique"
  | "foreign_key"
  | "check"
  | "exclusion"
  | "trigger"
  | "policy"
  | "view"
  | "materialized view";
