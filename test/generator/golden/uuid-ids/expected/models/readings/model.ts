// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "readings",
  typeName: "Readings",
  table: "readings",
  slug: "readings",
  id: "uuid",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    device_id: { kind: "uuid" },
    value: { kind: "float" },
  },
  relations: {
    device: { kind: "belongs_to", field: "device_id", model: "devices", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [{ name: "readings_device_id_fkey", field: "device_id" }],
});

export interface ReadingsRow {
  id: string;
  device_id: string;
  value: number;
  created_at: string;
  updated_at: string;
}

export interface ReadingsCreate {
  id?: string;
  device_id: string;
  value: number;
}

export type ReadingsUpdate = Partial<Omit<ReadingsCreate, "id">>;
export type ReadingsUpsert = ReadingsCreate;
export type ReadingsWhere = Where<typeof model>;
export type ReadingsOrder = OrderBy<typeof model>;
export type ReadingsSelection = Selection<typeof model>;

export interface ReadingsTypes {
  row: ReadingsRow;
  create: ReadingsCreate;
  update: ReadingsUpdate;
  upsert: ReadingsUpsert;
  where: ReadingsWhere;
  order: ReadingsOrder;
  selection: ReadingsSelection;
}

export type ReadingsHooks = Hooks<ReadingsTypes>;
