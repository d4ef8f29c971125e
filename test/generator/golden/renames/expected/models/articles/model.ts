// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "articles",
  typeName: "Articles",
  table: "articles",
  slug: "articles",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    title: { kind: "string" },
    state: { kind: "string", nullable: true, enum: ["draft", "live", "archived"], default: "draft" },
    parent_id: { kind: "bigint", nullable: true },
  },
  relations: {
    parent: { kind: "belongs_to", field: "parent_id", model: "articles", references: "id" },
  },
  uniqueKeys: [{ name: "articles_title_key", fields: ["title"] }],
  foreignKeys: [{ name: "articles_parent_id_fkey", field: "parent_id" }],
});

export interface ArticlesRow {
  id: number;
  title: string;
  state: "draft" | "live" | "archived" | null;
  parent_id: number | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface ArticlesCreate {
  title: string;
  state?: "draft" | "live" | "archived" | null;
  parent_id?: number | null;
}

export type ArticlesUpdate = Partial<ArticlesCreate>;
export type ArticlesUpsert = ArticlesCreate & { id?: number };
export type ArticlesWhere = Where<typeof model>;
export type ArticlesOrder = OrderBy<typeof model>;
export type ArticlesSelection = Selection<typeof model>;

export interface ArticlesTypes {
  row: ArticlesRow;
  create: ArticlesCreate;
  update: ArticlesUpdate;
  upsert: ArticlesUpsert;
  where: ArticlesWhere;
  order: ArticlesOrder;
  selection: ArticlesSelection;
}

export type ArticlesHooks = Hooks<ArticlesTypes>;
