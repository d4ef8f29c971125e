// Made by `npm run generate` from models/models.json. Edit that file, not this one.
// biome-ignore-all lint/suspicious/noThenProperty: a field has this name
import type { Hooks } from "kirak/hooks";
import { defineModel, type Json, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "class",
  typeName: "Class",
  table: "class",
  slug: "class",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    constructor: { kind: "string" },
    default: { kind: "string", nullable: true, default: "default" },
    string: { kind: "string", nullable: true },
    properties: { kind: "integer", nullable: true },
    delete: { kind: "boolean", nullable: true },
    then: { kind: "json", nullable: true, default: { then: "\u0024{x}", ["__proto__"]: 1 } },
    type: { kind: "string", nullable: true, enum: ["type", "interface"] },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface ClassRow {
  id: number;
  constructor: string;
  default: string | null;
  string: string | null;
  properties: number | null;
  /** "then": a word */
  delete: boolean | null;
  then: Json;
  type: "type" | "interface" | null;
  created_at: string;
  updated_at: string;
}

export interface ClassCreate {
  constructor: string;
  default?: string | null;
  string?: string | null;
  properties?: number | null;
  delete?: boolean | null;
  then?: Json;
  type?: "type" | "interface" | null;
}

export type ClassUpdate = Partial<ClassCreate>;
export type ClassUpsert = ClassCreate & { id?: number };
export type ClassWhere = Where<typeof model>;
export type ClassOrder = OrderBy<typeof model>;
export type ClassSelection = Selection<typeof model>;

export interface ClassTypes {
  row: ClassRow;
  create: ClassCreate;
  update: ClassUpdate;
  upsert: ClassUpsert;
  where: ClassWhere;
  order: ClassOrder;
  selection: ClassSelection;
}

export type ClassHooks = Hooks<ClassTypes>;
