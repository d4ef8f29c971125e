/** A column, as PostgreSQL describes it. */
export interface CatalogColumn {
  readonly name: string;
  /** As PostgreSQL prints it: `character varying(255)`, `bigint`, `mpaa_rating`, or `other.thing` of another schema. */
  readonly type: string;
  readonly nullable: boolean;
  /** False where `NOT NULL` is `NOT VALID`: rows from before may be null. PostgreSQL 18 and later know that. */
  readonly validated: boolean;
  /** An expression of SQL; of a generated column the one that it is computed by. */
  readonly default: string | null;
  readonly identity: "always" | "by default" | null;
  readonly generated: boolean;
  /** The default is the next number of a sequence, as in a `serial` column. */
  readonly sequence: boolean;
  /** How the sequence of an identity or a default counts. */
  readonly counter: CatalogCounter | null;
  /** The values of an enum type, or of the enum type that a domain is on, in their order. */
  readonly enumValues: readonly string[] | null;
  /** The type that a domain is on in the end. */
  readonly baseType: string | null;
  /** Dimensions that an array was declared with, which PostgreSQL does not enforce; 0 for anything else. */
  readonly dimensions: number;
  /** Null where it is that of the type. */
  readonly collation: string | null;
  readonly comment: string | null;
}

/** How a sequence counts; its numbers may be too large for a number of JavaScript. */
export interface CatalogCounter {
  readonly increment: string;
  readonly maximum: string;
  /** After its maximum it begins again. */
  readonly cycle: boolean;
}

/** An index, that of a constraint too. */
export interface CatalogIndex {
  readonly name: string;
  /** `btree`, `gin`, … */
  readonly method: string;
  /**
   * Null where columns and method do not tell all: expressions, an order, operators or a collation of its own, included columns,
   * `NULLS NOT DISTINCT`, another method than btree and gin.
   */
  readonly columns: readonly string[] | null;
  readonly unique: boolean;
  /** Of a partial index, as an expression of SQL. */
  readonly predicate: string | null;
  /** The statement that makes it, without the name of the schema. */
  readonly definition: string;
  /** False where making it failed half-way: PostgreSQL does not use it. */
  readonly valid: boolean;
}

/** A constraint of a table. `NOT NULL` belongs to the columns. */
export interface CatalogConstraint {
  readonly name: string;
  readonly kind: "primary_key" | "unique" | "foreign_key" | "check" | "exclusion";
  readonly columns: readonly string[];
  readonly references: CatalogReference | null;
  /** As in `ALTER TABLE … ADD CONSTRAINT`. */
  readonly definition: string;
  /** False where rows from before may break it. */
  readonly validated: boolean;
  /** False where it is `NOT ENFORCED`, or someone disabled the triggers that enforce it. */
  readonly enforced: boolean;
}

/** The target of a foreign key. */
export interface CatalogReference {
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly onDelete: "no action" | "restrict" | "cascade" | "set null" | "set default";
}

/** A table, or what can be read like one. */
export interface CatalogTable {
  readonly name: string;
  readonly kind: "table" | "partitioned table" | "partition" | "view" | "materialized view" | "foreign table";
  /** In their order, those of a parent table included. */
  readonly columns: readonly CatalogColumn[];
  /** By name. */
  readonly indexes: readonly CatalogIndex[];
  /** By name. */
  readonly constraints: readonly CatalogConstraint[];
  /** Names of the triggers that someone made. */
  readonly triggers: readonly string[];
  /** Those that run before each row, and may change it or leave it out. */
  readonly rowTriggers: readonly string[];
  /** Names of rules that rewrite statements, those that were disabled and that of a view left out. */
  readonly rules: readonly string[];
  /** After a crash it is empty. */
  readonly unlogged: boolean;
  /** Tables that inherit from it, which are not its partitions. */
  readonly children: readonly string[];
  /** Policies decide which rows the role that reads the catalog can see: it neither owns the table nor may pass them by. */
  readonly rowSecurity: boolean;
  readonly comment: string | null;
}

/** Objects that prevent a change of a column's type, or dropping a primary key (`column` is null then). */
export interface CatalogDependent {
  readonly table: string;
  readonly column: string | null;
  /** `view film_list`, `policy own_rows on table films`. */
  readonly dependent: string;
}

/** Values in the arrays of a column that no list of a field has; null if they could not be read. */
export interface CatalogArrays {
  readonly table: string;
  readonly column: string;
  readonly nulls: boolean | null;
  /** Arrays of several dimensions. */
  readonly nested: boolean | null;
}

/** Rows that hold values of a column that the API has no form for, or that are finer than milliseconds. */
export interface CatalogValues {
  readonly table: string;
  readonly column: string;
  readonly problem: "unheld" | "finer";
  /** Null where no one could look. */
  readonly rows: number | null;
  /** Finds the rows. */
  readonly select: string;
}

/** A schema of a database. */
export interface CatalogSchema {
  readonly name: string;
  readonly tables: readonly CatalogTable[];
  /** Columns of arrays, those left out that hold neither. */
  readonly arrays: readonly CatalogArrays[];
  /** Columns without such rows are left out. */
  readonly values: readonly CatalogValues[];
  readonly dependents: readonly CatalogDependent[];
  /** Other schemas that hold tables, and how many. */
  readonly others: readonly { readonly name: string; readonly tables: number }[];
}

/** The type of an array's elements, `varchar(20)` of `varchar(20)[]`; null for anything that is not an array. */
export function elementTypeOf(type: string): string | null {
  return type.endsWith("[]") ? type.slice(0, -"[]".length) : null;
}

/** `varchar` of `varchar(20)`. */
export function familyOf(type: string): string {
  return type.replace(/\(.*?\)/, "");
}
