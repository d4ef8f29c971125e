// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "badges",
  typeName: "Badges",
  table: "badges",
  slug: "badges",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    person_id: { kind: "bigint" },
  },
  relations: {
    person: { kind: "belongs_to", field: "person_id", model: "people", references: "id" },
  },
  uniqueKeys: [{ name: "badges_person_id_key", fields: ["person_id"] }],
  foreignKeys: [{ name: "badges_person_id_fkey", field: "person_id" }],
});

export interface BadgesRow {
  id: number;
  person_id: number;
  created_at: string;
  updated_at: string;
}

export interface BadgesCreate {
  person_id: number;
}

export type BadgesUpdate = Partial<BadgesCreate>;
export type BadgesUpsert = BadgesCreate & { id?: number };
export type BadgesWhere = Where<typeof model>;
export type BadgesOrder = OrderBy<typeof model>;
export type BadgesSelection = Selection<typeof model>;

export interface BadgesTypes {
  row: BadgesRow;
  create: BadgesCreate;
  update: BadgesUpdate;
  upsert: BadgesUpsert;
  where: BadgesWhere;
  order: BadgesOrder;
  selection: BadgesSelection;
}

export type BadgesHooks = Hooks<BadgesTypes>;
