// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "figures",
  typeName: "Figures",
  table: "figures",
  slug: "figures",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    level: { kind: "string", nullable: true, enum: ["low", "high"] },
    value: { kind: "integer", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

/** Only aggregates. */
export interface FiguresRow {
  id: number;
  level: "low" | "high" | null;
  value: number | null;
  created_at: string;
  updated_at: string;
}

export interface FiguresCreate {
  level?: "low" | "high" | null;
  value?: number | null;
}

export type FiguresUpdate = Partial<FiguresCreate>;
export type FiguresUpsert = FiguresCreate & { id?: number };
export type FiguresWhere = Where<typeof model>;
export type FiguresOrder = OrderBy<typeof model>;
export type FiguresSelection = Selection<typeof model>;

export interface FiguresTypes {
  row: FiguresRow;
  create: FiguresCreate;
  update: FiguresUpdate;
  upsert: FiguresUpsert;
  where: FiguresWhere;
  order: FiguresOrder;
  selection: FiguresSelection;
}

export type FiguresHooks = Hooks<FiguresTypes>;
