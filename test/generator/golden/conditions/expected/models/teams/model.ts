// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "teams",
  typeName: "Teams",
  table: "teams",
  slug: "teams",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    name: { kind: "string" },
    owner_id: { kind: "integer", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface TeamsRow {
  id: number;
  name: string;
  owner_id: number | null;
  created_at: string;
  updated_at: string;
}

export interface TeamsCreate {
  name: string;
  owner_id?: number | null;
}

export type TeamsUpdate = Partial<TeamsCreate>;
export type TeamsUpsert = TeamsCreate & { id?: number };
export type TeamsWhere = Where<typeof model>;
export type TeamsOrder = OrderBy<typeof model>;
export type TeamsSelection = Selection<typeof model>;

export interface TeamsTypes {
  row: TeamsRow;
  create: TeamsCreate;
  update: TeamsUpdate;
  upsert: TeamsUpsert;
  where: TeamsWhere;
  order: TeamsOrder;
  selection: TeamsSelection;
}

export type TeamsHooks = Hooks<TeamsTypes>;
