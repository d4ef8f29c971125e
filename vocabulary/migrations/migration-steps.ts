import { type CheckCondition, columnsOfCondition, withColumnNames } from "../conditions/check-tree.ts";
import type { Json } from "../json.ts";
import type { FoundObject } from "./found-objects.ts";
import type { SqlMigration } from "./sql-migration.ts";

/** The column types of migrations, as PostgreSQL prints them. */
export type ColumnType = ElementColumnType | "jsonb" | `${ElementColumnType}[]` | AdoptedType | FoundType;

/** The types that elements of arrays can have. */
export type ElementColumnType =
  | "bigint"
  | "boolean"
  | "date"
  | "double precision"
  | "integer"
  | `numeric(${number},${number})`
  | "text"
  | "time(3)"
  | "timestamptz(3)"
  | "uuid"
  | `varchar(${number})`;

/** Types that only introspected tables have, and tables of models with `db_type`. */
export type AdoptedType = AdoptedElementType | `${AdoptedElementType}[]` | "json";

/** Adopted types that elements of arrays can have. */
export type AdoptedElementType =
  | "smallint"
  | "real"
  | "numeric"
  | "timestamp"
  | `timestamp(${number})`
  | "timestamptz"
  | `timestamptz(${number})`
  | "time"
  | `time(${number})`
  | "varchar"
  | `char(${number})`;

/** Types that only columns with a `db_type` have. An enum type is a quoted name, such as `"mood"` or `"sales"."mood"`. */
export type FoundType = FoundElementType | `${FoundElementType}[]`;

/** Such types that elements of arrays can have. */
export type FoundElementType =
  | "citext"
  | "name"
  | "inet"
  | "cidr"
  | "macaddr"
  | "ltree"
  | "xml"
  | "money"
  | "interval"
  | "tsvector"
  | `numeric(${number})`
  | EnumTypeName;

export type EnumTypeName = `"${string}"`;

/**
 * A literal of the column's type, or a value of the database: an identity, the next number of a sequence, a random UUID, the
 * time. `sequence` is the default of a `serial` column. The other values are those of tables that another tool made.
 */
export type ColumnDefault =
  | { readonly literal: Json }
  | "identity"
  | "always_identity"
  | "sequence"
  | "random_uuid"
  | "now"
  /** A default that migrations neither make nor change. */
  | "unmanaged"
  /** An SQL expression, as PostgreSQL prints it. */
  | { readonly expression: string }
  /** A generated column with this expression. */
  | { readonly computed: string };

export type Column = {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly default?: ColumnDefault;
  /** Whether it holds password hashes. Has no effect in the database. */
  readonly secret?: true;
  /** All values of the column's enum type, in their order. The type is created if it does not exist. */
  readonly values?: readonly string[];
};

/** A unique or plain index. `live` excludes rows whose `deleted_at` is set. */
export type Index = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly live: boolean;
  /** The column that `live` is about, if it is not `deleted_at`. */
  readonly liveColumn?: string;
  /** `gin` is for list columns, to find rows by elements. Absent for a B-tree. */
  readonly method?: "gin";
};

export type ForeignKey = {
  readonly name: string;
  readonly column: string;
  readonly references: { readonly table: string; readonly column: string };
  readonly onDelete: "restrict" | "cascade" | "set_null";
};

/** Allowed values of a column, or of the elements of a list. */
export type ValuesCheck = {
  readonly name: string;
  readonly column: string;
  readonly oneOf: readonly (string | number)[];
  /** The type of the elements, `varchar` and `numeric` without a size. Absent if the column is not a list. */
  readonly elements?: ElementColumnType | AdoptedElementType;
};

/** A condition on the columns of a row. */
export type ConditionCheck = { readonly name: string; readonly condition: CheckCondition };

/** Constraints that reject rows. */
export type Check = ValuesCheck | ConditionCheck;

/** The columns that a check uses. */
export function columnsOfCheck(check: Check): readonly string[] {
  return "column" in check ? [check.column] : columnsOfCondition(check.condition);
}

/** Returns a check with other column names. */
export function checkWithColumnNames(check: Check, nameOf: (column: string) => string): Check {
  return "column" in check
    ? { ...check, column: nameOf(check.column) }
    : { ...check, condition: withColumnNames(check.condition, nameOf) };
}

/** A primary key, if it is not a column `id`. */
export type PrimaryKey = { readonly name: string; readonly columns: readonly string[] };

/**
 * One step of a migration. The runtime generates the SQL from these data. A table outside the first schema of the search path is
 * `sales.orders`: no table of a model has a point in its name.
 */
export type Step =
  | {
      readonly step: "create_table";
      readonly table: string;
      /** The key of its model, if it differs from the table name. */
      readonly model?: string;
      readonly columns: readonly Column[];
      readonly primaryKey?: PrimaryKey;
      /** Whether the table was there before Kirak. Without `primaryKey` it has none. */
      readonly found?: true;
    }
  | { readonly step: "drop_table"; readonly table: string }
  | { readonly step: "add_column"; readonly table: string; readonly column: Column }
  | { readonly step: "drop_column"; readonly table: string; readonly column: string }
  | { readonly step: "rename_table"; readonly table: string; readonly to: string; readonly model?: string }
  | { readonly step: "rename_column"; readonly table: string; readonly column: string; readonly to: string }
  | {
      readonly step: "set_type";
      readonly table: string;
      readonly column: string;
      readonly type: ColumnType;
      /** The former type, if values need more than a cast. An enum type that was created again with other values is its own former one. */
      readonly from?: ColumnType;
      /** All values of an enum type, in their order. The type is created if it does not exist. */
      readonly values?: readonly string[];
    }
  | {
      readonly step: "set_nullable";
      readonly table: string;
      readonly column: string;
      readonly nullable: boolean;
    }
  | {
      readonly step: "set_default";
      readonly table: string;
      readonly column: string;
      readonly type: ColumnType;
      readonly default: ColumnDefault | null;
    }
  /** Gives every row a new id, and updates all columns that refer to it. */
  | {
      readonly step: "set_id_type";
      readonly table: string;
      readonly type: "bigint" | "uuid";
      readonly references: readonly {
        readonly table: string;
        readonly column: string;
        readonly nullable: boolean;
      }[];
    }
  | { readonly step: "drop_primary_key"; readonly table: string; readonly name: string }
  | { readonly step: "add_primary_key"; readonly table: string; readonly primaryKey: PrimaryKey }
  | { readonly step: "add_index"; readonly table: string; readonly index: Index }
  | { readonly step: "drop_index"; readonly table: string; readonly name: string }
  | { readonly step: "rename_index"; readonly table: string; readonly name: string; readonly to: string }
  | { readonly step: "rename_constraint"; readonly table: string; readonly name: string; readonly to: string }
  | { readonly step: "add_foreign_key"; readonly table: string; readonly foreignKey: ForeignKey }
  | { readonly step: "drop_foreign_key"; readonly table: string; readonly name: string }
  | { readonly step: "add_check"; readonly table: string; readonly check: Check }
  | { readonly step: "drop_check"; readonly table: string; readonly name: string }
  /** Adds a value to an enum type, for all columns that have the type. `table` is one of their tables. */
  | {
      readonly step: "add_enum_value";
      readonly table: string;
      readonly type: EnumTypeName;
      readonly value: string;
      /** The value next to it. */
      readonly place: { readonly before: string } | { readonly after: string };
    }
  | {
      readonly step: "rename_enum_value";
      readonly table: string;
      readonly type: EnumTypeName;
      readonly value: string;
      readonly to: string;
    };

/** A migration file of `generated/migrations/`. */
export interface Migration {
  /** A number and a description: `0001_initial`. */
  readonly name: string;
  /** The migration before it; null for the first one. */
  readonly parent: string | null;
  readonly up: readonly Step[];
  readonly down: readonly Step[];
  /**
   * Only if it describes what a database has: all objects of its found tables and its views. The list replaces that of an earlier
   * migration. Where the tables have the changes already, the migration is only recorded. Elsewhere it makes what its steps say.
   */
  readonly found?: readonly FoundObject[];
  /** Custom SQL instead of steps. */
  readonly sql?: SqlMigration;
}

/** The first migration of an introspected database. */
export const baselineName = "0001_baseline";

/** The name of a migration and of its file, such as `0002_add_isbn_to_books`. */
export const migrationName = /\d{4,}_[a-z0-9_]+/;
