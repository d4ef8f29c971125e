// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "devices",
  typeName: "Devices",
  table: "devices",
  slug: "devices",
  id: "uuid",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    name: { kind: "string" },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface DevicesRow {
  id: string;
  name: string;
  created_at: string;
  updated_at: string;
}

export interface DevicesCreate {
  id?: string;
  name: string;
}

export type DevicesUpdate = Partial<Omit<DevicesCreate, "id">>;
export type DevicesUpsert = DevicesCreate;
export type DevicesWhere = Where<typeof model>;
export type DevicesOrder = OrderBy<typeof model>;
export type DevicesSelection = Selection<typeof model>;

export interface DevicesTypes {
  row: DevicesRow;
  create: DevicesCreate;
  update: DevicesUpdate;
  upsert: DevicesUpsert;
  where: DevicesWhere;
  order: DevicesOrder;
  selection: DevicesSelection;
}

export type DevicesHooks = Hooks<DevicesTypes>;
