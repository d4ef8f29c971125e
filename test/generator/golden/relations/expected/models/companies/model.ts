// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "companies",
  typeName: "Companies",
  table: "companies",
  slug: "companies",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    name: { kind: "string" },
    contact_id: { kind: "bigint", nullable: true },
  },
  relations: {
    contact: { kind: "belongs_to", field: "contact_id", model: "people", references: "id" },
    people: { kind: "has_many", field: "id", model: "people", references: "company_id" },
  },
  uniqueKeys: [],
  foreignKeys: [{ name: "companies_contact_id_fkey", field: "contact_id" }],
});

export interface CompaniesRow {
  id: number;
  name: string;
  contact_id: number | null;
  created_at: string;
  updated_at: string;
}

export interface CompaniesCreate {
  name: string;
  contact_id?: number | null;
}

export type CompaniesUpdate = Partial<CompaniesCreate>;
export type CompaniesUpsert = CompaniesCreate & { id?: number };
export type CompaniesWhere = Where<typeof model>;
export type CompaniesOrder = OrderBy<typeof model>;
export type CompaniesSelection = Selection<typeof model>;

export interface CompaniesTypes {
  row: CompaniesRow;
  create: CompaniesCreate;
  update: CompaniesUpdate;
  upsert: CompaniesUpsert;
  where: CompaniesWhere;
  order: CompaniesOrder;
  selection: CompaniesSelection;
}

export type CompaniesHooks = Hooks<CompaniesTypes>;
