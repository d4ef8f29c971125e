// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type Json, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "samples",
  typeName: "Samples",
  table: "all_samples",
  slug: "sample",
  id: "bigint",
  softDelete: false,
  maxLimit: 50,
  fields: {
    label: { kind: "string", searchable: true },
    code: { kind: "string", nullable: true },
    region: { kind: "string", enum: ["north", "south", "o'brien", '"both"'], default: "north" },
    size: { kind: "integer", nullable: true, enum: [1, 2, 3] },
    body: { kind: "text", nullable: true, searchable: true },
    count: { kind: "integer", nullable: true, default: 5 },
    ratio: { kind: "float", nullable: true, default: 0.25 },
    active: { kind: "boolean", default: true },
    moment: { kind: "datetime", nullable: true },
    seen: { kind: "datetime", nullable: true, default: "2024-01-31T12:00:00.000Z" },
    day: { kind: "date", nullable: true, default: "2024-02-29" },
    contact: { kind: "email" },
    secret: { kind: "password", nullable: true },
    extra: { kind: "json", nullable: true, default: { a: [1, "two", null, true], "b c": {} } },
    settings: { kind: "json" },
    token: { kind: "uuid" },
    price: { kind: "decimal", nullable: true, decimal: { precision: 12, scale: 2 }, default: "12.50" },
    tax: { kind: "decimal", nullable: true, enum: ["7.0", "19.0"], decimal: { precision: 3, scale: 1 } },
    views: { kind: "int64", nullable: true, default: "7" },
    opens: { kind: "time", nullable: true, default: "09:30:00.000" },
    tags: { kind: "string[]", default: ['a"b', "it's"] },
    sizes: { kind: "integer[]", nullable: true, enum: [1, 2, 3], default: [] },
    rates: {
      kind: "decimal[]",
      nullable: true,
      decimal: { precision: 5, scale: 2 },
      default: ["1.00", "2.50"],
    },
    owners: { kind: "int64[]", nullable: true },
    moments: { kind: "datetime[]", nullable: true },
    keys: { kind: "uuid[]", nullable: true },
  },
  relations: {},
  uniqueKeys: [
    { name: "all_samples_code_key", fields: ["code"] },
    { name: "all_samples_code_region_key", fields: ["code", "region"] },
  ],
  foreignKeys: [],
});

/**
 * One of each.
 * Ends with *\/ and is harmless.
 */
export interface SamplesRow {
  id: number;
  /** A label. */
  label: string;
  code: string | null;
  region: "north" | "south" | "o'brien" | '"both"';
  size: 1 | 2 | 3 | null;
  body: string | null;
  count: number | null;
  ratio: number | null;
  active: boolean;
  moment: string | null;
  seen: string | null;
  day: string | null;
  contact: string;
  extra: Json;
  settings: Json;
  token: string;
  price: string | null;
  tax: "7.0" | "19.0" | null;
  views: string | null;
  opens: string | null;
  tags: string[];
  sizes: (1 | 2 | 3)[] | null;
  rates: string[] | null;
  owners: string[] | null;
  moments: string[] | null;
  keys: string[] | null;
  created_at: string;
  updated_at: string;
}

export interface SamplesCreate {
  label: string;
  code?: string | null;
  region?: "north" | "south" | "o'brien" | '"both"';
  size?: 1 | 2 | 3 | null;
  body?: string | null;
  count?: number | null;
  ratio?: number | null;
  active?: boolean;
  moment?: string | null;
  seen?: string | null;
  day?: string | null;
  contact: string;
  secret?: string | null;
  extra?: Json;
  settings: Json;
  token: string;
  price?: string | null;
  tax?: "7.0" | "19.0" | null;
  views?: string | null;
  opens?: string | null;
  tags?: string[];
  sizes?: (1 | 2 | 3)[] | null;
  rates?: string[] | null;
  owners?: string[] | null;
  moments?: string[] | null;
  keys?: string[] | null;
}

export type SamplesUpdate = Partial<SamplesCreate>;
export type SamplesUpsert = SamplesCreate & { id?: number };
export type SamplesWhere = Where<typeof model>;
export type SamplesOrder = OrderBy<typeof model>;
export type SamplesSelection = Selection<typeof model>;

export interface SamplesTypes {
  row: SamplesRow;
  create: SamplesCreate;
  update: SamplesUpdate;
  upsert: SamplesUpsert;
  where: SamplesWhere;
  order: SamplesOrder;
  selection: SamplesSelection;
}

export type SamplesHooks = Hooks<SamplesTypes>;
