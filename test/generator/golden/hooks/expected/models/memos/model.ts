// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "memos",
  typeName: "Memos",
  table: "memos",
  slug: "memos",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    title: { kind: "string" },
    slug: { kind: "string", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface MemosRow {
  id: number;
  title: string;
  slug: string | null;
  created_at: string;
  updated_at: string;
}

export interface MemosCreate {
  title: string;
  slug?: string | null;
}

export type MemosUpdate = Partial<MemosCreate>;
export type MemosUpsert = MemosCreate & { id?: number };
export type MemosWhere = Where<typeof model>;
export type MemosOrder = OrderBy<typeof model>;
export type MemosSelection = Selection<typeof model>;

export interface MemosTypes {
  row: MemosRow;
  create: Partial<MemosCreate>;
  update: MemosUpdate;
  upsert: MemosUpsert;
  where: MemosWhere;
  order: MemosOrder;
  selection: MemosSelection;
}

export type MemosHooks = Hooks<MemosTypes>;
