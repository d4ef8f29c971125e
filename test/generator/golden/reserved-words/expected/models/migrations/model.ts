// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "migrations",
  typeName: "Migrations",
  table: "migrations",
  slug: "migrations",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    name: { kind: "string", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface MigrationsRow {
  id: number;
  name: string | null;
  created_at: string;
  updated_at: string;
}

export interface MigrationsCreate {
  name?: string | null;
}

export type MigrationsUpdate = Partial<MigrationsCreate>;
export type MigrationsUpsert = MigrationsCreate & { id?: number };
export type MigrationsWhere = Where<typeof model>;
export type MigrationsOrder = OrderBy<typeof model>;
export type MigrationsSelection = Selection<typeof model>;

export interface MigrationsTypes {
  row: MigrationsRow;
  create: MigrationsCreate;
  update: MigrationsUpdate;
  upsert: MigrationsUpsert;
  where: MigrationsWhere;
  order: MigrationsOrder;
  selection: MigrationsSelection;
}

export type MigrationsHooks = Hooks<MigrationsTypes>;
