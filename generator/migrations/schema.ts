import type { Json } from "../definition/definition.ts";

/**
 * The vocabulary of migrations. It has the shape of `runtime/migrations/steps/define-migration.ts`, which executes it:
 * the generator shares no code with the runtime, and the compiler compares the two in each generated migration.
 */
export type ColumnType =
  | "bigint"
  | "boolean"
  | "date"
  | "double precision"
  | "integer"
  | "jsonb"
  | "text"
  | "timestamptz(3)"
  | "uuid"
  | `varchar(${number})`
  | AdoptedType;

/** Types that only the baseline of an introspected database has: the next migration turns them into one of the others. */
export type AdoptedType =
  | "smallint"
  | "real"
  | "numeric"
  | `numeric(${number},${number})`
  | "timestamp"
  | `timestamp(${number})`
  | "timestamptz"
  | `timestamptz(${number})`
  | "varchar"
  | `char(${number})`
  | "json";

/** `sequence` is the default of a `serial` column, which only the baseline of an introspected database has. */
export type ColumnDefault = { readonly literal: Json } | "identity" | "sequence" | "random_uuid" | "now";

export type Column = {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  readonly default?: ColumnDefault;
  /** Holds hashes of passwords. To the database it is a column like others. */
  readonly secret?: true;
};

export type Index = {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly live: boolean;
};

export type ForeignKey = {
  readonly name: string;
  readonly column: string;
  readonly references: { readonly table: string; readonly column: string };
  readonly onDelete: "restrict" | "cascade" | "set_null";
};

export type Check = {
  readonly name: string;
  readonly column: string;
  readonly oneOf: readonly (string | number)[];
};

/** The primary key of an introspected table that has another one than `id`. */
export type PrimaryKey = { readonly name: string; readonly columns: readonly string[] };

/** A table of a model. The model's key tells a renamed table from a dropped one. */
export type Table = {
  readonly model: string;
  readonly name: string;
  /** Absent where `id` is the primary key. */
  readonly primaryKey?: PrimaryKey;
  readonly columns: readonly Column[];
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly Check[];
};

/** What `migrations/schema.json` holds: the tables that the migrations add up to, and the last of them. */
export interface Snapshot {
  readonly migration: string | null;
  readonly tables: readonly Table[];
}

export type Step =
  | {
      readonly step: "create_table";
      readonly table: string;
      /** The key of its model, where that is not the name of the table. */
      readonly model?: string;
      readonly columns: readonly Column[];
      readonly primaryKey?: PrimaryKey;
    }
  | { readonly step: "drop_table"; readonly table: string }
  | { readonly step: "add_column"; readonly table: string; readonly column: Column }
  | { readonly step: "drop_column"; readonly table: string; readonly column: string }
  | { readonly step: "rename_table"; readonly table: string; readonly to: string; readonly model?: string }
  | { readonly step: "rename_column"; readonly table: string; readonly column: string; readonly to: string }
  | { readonly step: "set_type"; readonly table: string; readonly column: string; readonly type: ColumnType }
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
  /** Gives every row another id, and every column that refers to it the new one. */
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
  | { readonly step: "drop_check"; readonly table: string; readonly name: string };

/**
 * What a step does to data: `additive` adds something, `widening` lets in more than before, `destructive` loses
 * rows or values, or fails on them.
 */
export type StepClass = "additive" | "widening" | "destructive";

/** A step, its class, and the id by which a person accepts it. */
export interface Change {
  readonly step: Step;
  readonly class: StepClass;
  readonly id: string;
  /** What it does to data. Every destructive step says it. */
  readonly why?: string;
  /** The runs that get there without a loss. */
  readonly safely?: readonly string[];
  /** PostgreSQL writes the whole table anew, and nobody can use it meanwhile. */
  readonly rewrites?: true;
  /** Statements of instances that run code from before the migration fail on what it touches. */
  readonly breaksOlder?: true;
}
