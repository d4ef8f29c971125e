// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "desks",
  typeName: "Desks",
  table: "desks",
  slug: "desks",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    color: { kind: "string", nullable: true, enum: ["oak", "elm"] },
    author_id: { kind: "bigint", nullable: true },
  },
  relations: {
    author: { kind: "belongs_to", field: "author_id", model: "authors", references: "id" },
    drawers: { kind: "has_many", field: "id", model: "drawers", references: "desk_id" },
  },
  uniqueKeys: [{ name: "desks_author_id_key", fields: ["author_id"] }],
  foreignKeys: [{ name: "desks_author_id_fkey", field: "author_id" }],
});

/** Reached by joins alone. */
export interface DesksRow {
  id: number;
  color: "oak" | "elm" | null;
  author_id: number | null;
  created_at: string;
  updated_at: string;
}

export interface DesksCreate {
  color?: "oak" | "elm" | null;
  author_id?: number | null;
}

export type DesksUpdate = Partial<DesksCreate>;
export type DesksUpsert = DesksCreate & { id?: number };
export type DesksWhere = Where<typeof model>;
export type DesksOrder = OrderBy<typeof model>;
export type DesksSelection = Selection<typeof model>;

export interface DesksTypes {
  row: DesksRow;
  create: DesksCreate;
  update: DesksUpdate;
  upsert: DesksUpsert;
  where: DesksWhere;
  order: DesksOrder;
  selection: DesksSelection;
}

export type DesksHooks = Hooks<DesksTypes>;
