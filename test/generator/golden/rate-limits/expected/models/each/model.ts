// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "each",
  typeName: "Each",
  table: "each",
  slug: "each",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    title: { kind: "string", nullable: true, searchable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface EachRow {
  id: number;
  title: string | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface EachCreate {
  title?: string | null;
}

export type EachUpdate = Partial<EachCreate>;
export type EachUpsert = EachCreate & { id?: number };
export type EachWhere = Where<typeof model>;
export type EachOrder = OrderBy<typeof model>;
export type EachSelection = Selection<typeof model>;

export interface EachTypes {
  row: EachRow;
  create: EachCreate;
  update: EachUpdate;
  upsert: EachUpsert;
  where: EachWhere;
  order: EachOrder;
  selection: EachSelection;
}

export type EachHooks = Hooks<EachTypes>;
