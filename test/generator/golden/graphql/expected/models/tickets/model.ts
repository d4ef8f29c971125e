// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "tickets",
  typeName: "Tickets",
  table: "tickets",
  slug: "tickets",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {},
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

/** No field of its own, so that a create has no input. */
export interface TicketsRow {
  id: number;
  created_at: string;
  updated_at: string;
}

export type TicketsCreate = Record<string, never>;

export type TicketsUpdate = Partial<TicketsCreate>;
export type TicketsUpsert = { id?: number };
export type TicketsWhere = Where<typeof model>;
export type TicketsOrder = OrderBy<typeof model>;
export type TicketsSelection = Selection<typeof model>;

export interface TicketsTypes {
  row: TicketsRow;
  create: TicketsCreate;
  update: TicketsUpdate;
  upsert: TicketsUpsert;
  where: TicketsWhere;
  order: TicketsOrder;
  selection: TicketsSelection;
}

export type TicketsHooks = Hooks<TicketsTypes>;
