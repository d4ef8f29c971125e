// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "visits",
  typeName: "Visits",
  table: "visits",
  slug: "visits",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    user_id: { kind: "integer", preset: { placeholder: "user_id", required: true } },
    day: { kind: "date", preset: { placeholder: "now", required: true } },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

/** Nothing that a caller could send. */
export interface VisitsRow {
  id: number;
  user_id: number;
  day: string;
  created_at: string;
  updated_at: string;
}

export interface VisitsCreate {
  user_id?: number;
  day?: string;
}

export type VisitsUpdate = Partial<VisitsCreate>;
export type VisitsUpsert = VisitsCreate & { id?: number };
export type VisitsWhere = Where<typeof model>;
export type VisitsOrder = OrderBy<typeof model>;
export type VisitsSelection = Selection<typeof model>;

export interface VisitsTypes {
  row: VisitsRow;
  create: VisitsCreate;
  update: VisitsUpdate;
  upsert: VisitsUpsert;
  where: VisitsWhere;
  order: VisitsOrder;
  selection: VisitsSelection;
}

export type VisitsHooks = Hooks<VisitsTypes>;
