// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "drawers",
  typeName: "Drawers",
  table: "drawers",
  slug: "drawers",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    desk_id: { kind: "bigint", nullable: true },
  },
  relations: {
    desk: { kind: "belongs_to", field: "desk_id", model: "desks", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [{ name: "drawers_desk_id_fkey", field: "desk_id" }],
});

export interface DrawersRow {
  id: number;
  desk_id: number | null;
  created_at: string;
  updated_at: string;
}

export interface DrawersCreate {
  desk_id?: number | null;
}

export type DrawersUpdate = Partial<DrawersCreate>;
export type DrawersUpsert = DrawersCreate & { id?: number };
export type DrawersWhere = Where<typeof model>;
export type DrawersOrder = OrderBy<typeof model>;
export type DrawersSelection = Selection<typeof model>;

export interface DrawersTypes {
  row: DrawersRow;
  create: DrawersCreate;
  update: DrawersUpdate;
  upsert: DrawersUpsert;
  where: DrawersWhere;
  order: DrawersOrder;
  selection: DrawersSelection;
}

export type DrawersHooks = Hooks<DrawersTypes>;
