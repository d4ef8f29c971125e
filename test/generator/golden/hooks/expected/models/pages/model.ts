// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "pages",
  typeName: "Pages",
  table: "pages",
  slug: "pages",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    title: { kind: "string" },
    slug: { kind: "string" },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface PagesRow {
  id: number;
  title: string;
  slug: string;
  created_at: string;
  updated_at: string;
}

export interface PagesCreate {
  title: string;
  slug?: string;
}

export type PagesUpdate = Partial<PagesCreate>;
export type PagesUpsert = PagesCreate & Required<Pick<PagesCreate, "slug">> & { id?: number };
export type PagesWhere = Where<typeof model>;
export type PagesOrder = OrderBy<typeof model>;
export type PagesSelection = Selection<typeof model>;

export interface PagesTypes {
  row: PagesRow;
  create: PagesCreate;
  update: PagesUpdate;
  upsert: PagesUpsert;
  where: PagesWhere;
  order: PagesOrder;
  selection: PagesSelection;
}

export type PagesHooks = Hooks<PagesTypes>;
