/**
 * What a PostgreSQL database says of its tables. It has the shape of `runtime/catalog/catalog.ts`, which reads
 * it: the generator shares no code with the runtime, and the compiler compares the two in `scripts/introspect.ts`.
 */
export interface CatalogColumn {
  readonly name: string;
  /** As PostgreSQL prints it: `character varying(255)`, `bigint`, `mpaa_rating`. */
  readonly type: string;
  readonly nullable: boolean;
  /** An expression of SQL. */
  readonly default: string | null;
  readonly identity: "always" | "by default" | null;
  readonly generated: boolean;
  /** The default is the next number of a sequence. */
  readonly sequence: boolean;
  readonly enumValues: readonly string[] | null;
  /** The type that a domain stands on. */
  readonly baseType: string | null;
  readonly comment: string | null;
}

export interface CatalogIndex {
  readonly name: string;
  /** Null where columns do not tell all. */
  readonly columns: readonly string[] | null;
  readonly unique: boolean;
  readonly predicate: string | null;
  readonly definition: string;
  readonly valid: boolean;
}

export interface CatalogConstraint {
  readonly name: string;
  readonly kind: "primary_key" | "unique" | "foreign_key" | "check" | "exclusion";
  readonly columns: readonly string[];
  readonly references: CatalogReference | null;
  readonly definition: string;
  readonly validated: boolean;
  readonly enforced: boolean;
}

export interface CatalogReference {
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly onDelete: "no action" | "restrict" | "cascade" | "set null" | "set default";
}

export interface CatalogTable {
  readonly name: string;
  readonly kind: "table" | "partitioned table" | "partition" | "view" | "materialized view" | "foreign table";
  readonly columns: readonly CatalogColumn[];
  readonly indexes: readonly CatalogIndex[];
  readonly constraints: readonly CatalogConstraint[];
  readonly triggers: readonly string[];
  /** Policies hide rows from the role that reads. */
  readonly rowSecurity: boolean;
  readonly comment: string | null;
}

/** What keeps PostgreSQL from changing the type of a column, or from dropping a primary key (`column` is null then). */
export interface Dependent {
  readonly table: string;
  readonly column: string | null;
  /** `view film_list`, `policy own_rows on films`. */
  readonly dependent: string;
}

/** A schema of a database. */
export interface CatalogSchema {
  readonly name: string;
  readonly tables: readonly CatalogTable[];
  readonly dependents: readonly Dependent[];
  /** Other schemas that hold tables, and how many. */
  readonly others: readonly { readonly name: string; readonly tables: number }[];
}
