// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "some",
  typeName: "Some",
  table: "some",
  slug: "some",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    title: { kind: "string", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface SomeRow {
  id: number;
  title: string | null;
  created_at: string;
  updated_at: string;
}

export interface SomeCreate {
  title?: string | null;
}

export type SomeUpdate = Partial<SomeCreate>;
export type SomeUpsert = SomeCreate & { id?: number };
export type SomeWhere = Where<typeof model>;
export type SomeOrder = OrderBy<typeof model>;
export type SomeSelection = Selection<typeof model>;

export interface SomeTypes {
  row: SomeRow;
  create: Partial<SomeCreate>;
  update: SomeUpdate;
  upsert: SomeUpsert;
  where: SomeWhere;
  order: SomeOrder;
  selection: SomeSelection;
}

export type SomeHooks = Hooks<SomeTypes>;
