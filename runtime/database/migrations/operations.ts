import type { Json } from "../../model/index.ts";

/** The column types that migrations know, as PostgreSQL prints them. */
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
  | `varchar(${number})`;

export interface Column {
  readonly name: string;
  readonly type: ColumnType;
  readonly nullable: boolean;
  /** A literal of the column's type, or what the database makes: an identity, a random uuid, the time. */
  readonly default?: { readonly literal: Json } | "identity" | "random_uuid" | "now";
}

/** A unique or plain index. `live` leaves out rows whose `deleted_at` is set. */
export interface Index {
  readonly name: string;
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly live: boolean;
}

export interface ForeignKey {
  readonly name: string;
  readonly column: string;
  readonly references: { readonly table: string; readonly column: string };
  readonly onDelete: "restrict" | "cascade" | "set_null";
}

/** Allowed values of a column. */
export interface Check {
  readonly name: string;
  readonly column: string;
  readonly oneOf: readonly (string | number)[];
}

/** A table as `generated/migrations/schema.json` holds it. `id` is always the primary key. */
export interface Table {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly indexes: readonly Index[];
  readonly foreignKeys: readonly ForeignKey[];
  readonly checks: readonly Check[];
}

/** One step of a migration. Steps are data: the runtime makes the SQL. */
export type Step =
  | { readonly step: "create_table"; readonly table: string; readonly columns: readonly Column[] }
  | { readonly step: "drop_table"; readonly table: string }
  | { readonly step: "add_column"; readonly table: string; readonly column: Column }
  | { readonly step: "drop_column"; readonly table: string; readonly column: string }
  | { readonly step: "rename_table"; readonly table: string; readonly to: string }
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
      readonly default: Column["default"] | null;
    }
  | { readonly step: "add_index"; readonly table: string; readonly index: Index }
  | { readonly step: "drop_index"; readonly table: string; readonly name: string }
  | { readonly step: "add_foreign_key"; readonly table: string; readonly foreignKey: ForeignKey }
  | { readonly step: "drop_foreign_key"; readonly table: string; readonly name: string }
  | { readonly step: "add_check"; readonly table: string; readonly check: Check }
  | { readonly step: "drop_check"; readonly table: string; readonly name: string };

/** A migration file of `generated/migrations/`. */
export interface Migration {
  /** `0001_initial`: a number and what it does. */
  readonly name: string;
  /** The migration it builds on, null for the first. */
  readonly parent: string | null;
  readonly up: readonly Step[];
  readonly down: readonly Step[];
}

/** Declares a migration. */
export function defineMigration(migration: Migration): Migration {
  return migration;
}
