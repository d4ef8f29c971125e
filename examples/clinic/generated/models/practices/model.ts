// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "practices",
  typeName: "Practices",
  table: "practices",
  slug: "practices",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    name: { kind: "string", searchable: true },
    city: { kind: "string" },
  },
  relations: {
    staff: { kind: "has_many", field: "id", model: "staff", references: "practice_id" },
    doctors: { kind: "has_many", field: "id", model: "doctors", references: "practice_id" },
  },
  uniqueKeys: [],
  foreignKeys: [],
});

/** A tenant. Everyone can find practices. Managers of a practice edit it. */
export interface PracticesRow {
  id: number;
  name: string;
  city: string;
  created_at: string;
  updated_at: string;
}

export interface PracticesCreate {
  name: string;
  city: string;
}

export type PracticesUpdate = Partial<PracticesCreate>;
export type PracticesUpsert = PracticesCreate & { id?: number };
export type PracticesWhere = Where<typeof model>;
export type PracticesOrder = OrderBy<typeof model>;
export type PracticesSelection = Selection<typeof model>;

export interface PracticesTypes {
  row: PracticesRow;
  create: PracticesCreate;
  update: PracticesUpdate;
  upsert: PracticesUpsert;
  where: PracticesWhere;
  order: PracticesOrder;
  selection: PracticesSelection;
}

export type PracticesHooks = Hooks<PracticesTypes>;
