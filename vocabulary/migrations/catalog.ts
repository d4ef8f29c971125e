/** A column, as PostgreSQL describes it. */
export interface CatalogColumn {
  readonly name: string;
  /** As PostgreSQL prints it: `character varying(255)`, `bigint`, `mpaa_rating`, or `other.thing` of another schema. */
  readonly type: string;
  readonly nullable: boolean;
  /** False if `NOT NULL` is `NOT VALID`: older rows can be null. Only PostgreSQL 18 and later have this. */
  readonly validated: boolean;
  /** An SQL expression. For a generated column, the expression that computes it. */
  readonly default: string | null;
  readonly identity: "always" | "by default" | null;
  readonly generated: boolean;
  /** Whether the default uses only what every database has: no function, type or sequence of this one. */
  readonly portable: boolean;
  /** Whether the default is the next number of a sequence, as in a `serial` column. */
  readonly sequence: boolean;
  /** The sequence of an identity column or a default. */
  readonly counter: CatalogCounter | null;
  /** The values of an enum type in their order, also of the enum type of a domain or of the elements of an array. */
  readonly enumValues: readonly string[] | null;
  /** The name of this enum type, with its schema if that is not the schema of the table. */
  readonly enumType: string | null;
  /** The base type of a domain. */
  readonly baseType: string | null;
  /** Declared dimensions of an array, which PostgreSQL does not enforce; 0 for other types. */
  readonly dimensions: number;
  /** Null for the collation of the type. */
  readonly collation: string | null;
  readonly comment: string | null;
}

/** A sequence. Its numbers are texts, because they can be too large for a JavaScript number. */
export interface CatalogCounter {
  readonly increment: string;
  readonly maximum: string;
  /** Whether the sequence starts again after its maximum. */
  readonly cycle: boolean;
}

/** An index, including those of constraints. */
export interface CatalogIndex {
  readonly name: string;
  /** `btree`, `gin`, … */
  readonly method: string;
  /**
   * Null if columns and method do not describe the index: it has expressions, an order, operator classes, a
   * collation, included columns, `NULLS NOT DISTINCT`, or a method other than btree and gin.
   */
  readonly columns: readonly string[] | null;
  readonly unique: boolean;
  /** The condition of a partial index, as an SQL expression. */
  readonly predicate: string | null;
  /** The statement that creates it, without the name of the schema. */
  readonly definition: string;
  /** False if its creation failed: PostgreSQL does not use it. */
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
  /** False if older rows can violate it. */
  readonly validated: boolean;
  /** False if it is `NOT ENFORCED`, or its triggers are disabled. */
  readonly enforced: boolean;
}

/** The target of a foreign key. */
export interface CatalogReference {
  readonly schema: string;
  readonly table: string;
  readonly columns: readonly string[];
  readonly onDelete: "no action" | "restrict" | "cascade" | "set null" | "set default";
}

/** A table, or another relation with rows. */
export interface CatalogTable {
  readonly name: string;
  readonly kind: "table" | "partitioned table" | "partition" | "view" | "materialized view" | "foreign table";
  /** In the order of the table, including those of a parent table. */
  readonly columns: readonly CatalogColumn[];
  /** By name. */
  readonly indexes: readonly CatalogIndex[];
  /** By name. */
  readonly constraints: readonly CatalogConstraint[];
  /** Names of user-defined triggers. */
  readonly triggers: readonly string[];
  /** Triggers that run before each row, and can change or skip it. */
  readonly rowTriggers: readonly string[];
  /** Names of enabled rules that rewrite statements, without the rule of a view. */
  readonly rules: readonly string[];
  /** Whether the table is empty after a crash. */
  readonly unlogged: boolean;
  /** Tables that inherit from it, without its partitions. */
  readonly children: readonly string[];
  /**
   * Whether row-level security is active for the role that reads the catalog, so that policies can hide rows.
   */
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

/** Whether arrays of a column contain values that lists of a field do not allow. Null if they could not be read. */
export interface CatalogArrays {
  readonly table: string;
  readonly column: string;
  readonly nulls: boolean | null;
  /** Arrays of several dimensions. */
  readonly nested: boolean | null;
}

/** Rows with values of a column that the API cannot return, or that are more precise than milliseconds. */
export interface CatalogValues {
  readonly table: string;
  readonly column: string;
  readonly problem: "unheld" | "finer";
  /** Null if the rows could not be read. */
  readonly rows: number | null;
  /** The SQL query that finds the rows. */
  readonly select: string;
}

/** A column that a trigger sets before a row is written. */
export interface CatalogFill {
  readonly table: string;
  readonly column: string;
  readonly trigger: string;
  readonly insert: boolean;
  readonly update: boolean;
  /** False if it sets the column only under conditions. */
  readonly always: boolean;
}

/** What decides which rows and columns a role reaches: a function with the rights of its owner, policies, or granted rights. */
export interface CatalogGuard {
  readonly kind: "definer" | "policies" | "grants" | "rights";
  /** The table, or the function. */
  readonly object: string;
  readonly text: string;
}

/** A schema of a database. */
export interface CatalogSchema {
  readonly name: string;
  readonly tables: readonly CatalogTable[];
  /** Only array columns with such values (`CatalogArrays`). */
  readonly arrays: readonly CatalogArrays[];
  /** Only columns with such rows (`CatalogValues`). */
  readonly values: readonly CatalogValues[];
  readonly dependents: readonly CatalogDependent[];
  /** Tables with ids over 2^52 in a bigint key. */
  readonly largeIds: readonly string[];
  /** Columns that triggers in PL/pgSQL set. */
  readonly filled: readonly CatalogFill[];
  readonly guards: readonly CatalogGuard[];
  /** Other schemas with tables, and their number. */
  readonly others: readonly { readonly name: string; readonly tables: number }[];
}

/** The type of an array's elements, `varchar(20)` for `varchar(20)[]`; null for other types. */
export function elementTypeOf(type: string): string | null {
  return type.endsWith("[]") ? type.slice(0, -"[]".length) : null;
}

/** A type without its size: `varchar` for `varchar(20)`. */
export function familyOf(type: string): string {
  return type.replace(/\(.*?\)/, "");
}
