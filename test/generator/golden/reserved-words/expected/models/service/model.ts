// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "service",
  typeName: "Service",
  table: "service",
  slug: "service",
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

export interface ServiceRow {
  id: number;
  name: string | null;
  created_at: string;
  updated_at: string;
}

export interface ServiceCreate {
  name?: string | null;
}

export type ServiceUpdate = Partial<ServiceCreate>;
export type ServiceUpsert = ServiceCreate & { id?: number };
export type ServiceWhere = Where<typeof model>;
export type ServiceOrder = OrderBy<typeof model>;
export type ServiceSelection = Selection<typeof model>;

export interface ServiceTypes {
  row: ServiceRow;
  create: ServiceCreate;
  update: ServiceUpdate;
  upsert: ServiceUpsert;
  where: ServiceWhere;
  order: ServiceOrder;
  selection: ServiceSelection;
}

export type ServiceHooks = Hooks<ServiceTypes>;
