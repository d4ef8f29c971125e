// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "drafts",
  typeName: "Drafts",
  table: "drafts",
  slug: "drafts",
  id: "uuid",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    title: { kind: "string" },
    slug: { kind: "string" },
    author: { kind: "string" },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface DraftsRow {
  id: string;
  title: string;
  slug: string;
  author: string;
  created_at: string;
  updated_at: string;
}

export interface DraftsCreate {
  id?: string;
  title: string;
  slug?: string;
  author: string;
}

export type DraftsUpdate = Partial<Omit<DraftsCreate, "id">>;
export type DraftsUpsert = Omit<DraftsCreate, "title"> & Partial<Pick<DraftsCreate, "title">>;
export type DraftsWhere = Where<typeof model>;
export type DraftsOrder = OrderBy<typeof model>;
export type DraftsSelection = Selection<typeof model>;

export interface DraftsTypes {
  row: DraftsRow;
  create: DraftsCreate;
  update: DraftsUpdate;
  upsert: DraftsUpsert;
  where: DraftsWhere;
  order: DraftsOrder;
  selection: DraftsSelection;
}

export type DraftsHooks = Hooks<DraftsTypes>;
