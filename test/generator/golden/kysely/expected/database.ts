// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { BoundJson, ColumnType, Generated, GeneratedAlways, Json } from "kirak/kysely";

export interface ReadingsTable {
  id: Generated<string>;
  title: string;
  state: Generated<"new" | "seen">;
  amount: ColumnType<string, number | string | undefined, number | string>;
  serial: ColumnType<number | string, bigint | number | string, bigint | number | string>;
  taken_at: ColumnType<string, Date | string, Date | string>;
  meta: ColumnType<Json, BoundJson | null, BoundJson | null>;
  tags: Generated<string[]>;
  reader: number | null;
  created_at: ColumnType<string, Date | string | undefined, Date | string>;
  updated_at: ColumnType<string, Date | string | undefined, Date | string>;
  deleted_at: ColumnType<string | null, Date | string | null, Date | string | null>;
}

export interface MetersTable {
  "Meter No": Generated<number>;
  KIND: "gas" | "water";
  kinds: ColumnType<string | null, ("gas" | "water")[] | null, ("gas" | "water")[] | null>;
  code: string | null;
  length: GeneratedAlways<number | null>;
  since: Generated<string>;
  made: ColumnType<string | null, Date | string | null, Date | string | null>;
}

export interface TotalsTable {
  meter: GeneratedAlways<number>;
  number: GeneratedAlways<number | string | null>;
}

export interface UsersTable {
  id: GeneratedAlways<number>;
  email: GeneratedAlways<string | null>;
  role: GeneratedAlways<string>;
  first_name: GeneratedAlways<string | null>;
  last_name: GeneratedAlways<string | null>;
  phone_number: GeneratedAlways<string | null>;
  is_verified: GeneratedAlways<boolean>;
  is_active: GeneratedAlways<boolean>;
  last_login_at: GeneratedAlways<string | null>;
  credentials_changed_at: GeneratedAlways<string | null>;
  points: ColumnType<number, never, number>;
  created_at: GeneratedAlways<string>;
  updated_at: GeneratedAlways<string>;
}

/** The tables of the models with the types of their columns, for `context.kysely`. */
export interface Database {
  readings: ReadingsTable;
  "plant.Meter Points": MetersTable;
  "plant.totals": TotalsTable;
  users: UsersTable;
}
