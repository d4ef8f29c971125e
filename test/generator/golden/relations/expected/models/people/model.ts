// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "people",
  typeName: "People",
  table: "people",
  slug: "people",
  id: "bigint",
  softDelete: true,
  maxLimit: 1000,
  fields: {
    name: { kind: "string" },
    code: { kind: "string" },
    company_id: { kind: "bigint" },
    manager_id: { kind: "bigint", nullable: true },
  },
  relations: {
    company: { kind: "belongs_to", field: "company_id", model: "companies", references: "id" },
    manager: { kind: "belongs_to", field: "manager_id", model: "people", references: "id" },
    badge: { kind: "has_one", field: "id", model: "badges", references: "person_id" },
  },
  uniqueKeys: [{ name: "people_code_key", fields: ["code"] }],
  foreignKeys: [
    { name: "people_company_id_fkey", field: "company_id" },
    { name: "people_manager_id_fkey", field: "manager_id" },
  ],
});

export interface PeopleRow {
  id: number;
  name: string;
  code: string;
  company_id: number;
  manager_id: number | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface PeopleCreate {
  name: string;
  code: string;
  company_id: number;
  manager_id?: number | null;
}

export type PeopleUpdate = Partial<PeopleCreate>;
export type PeopleUpsert = PeopleCreate & { id?: number };
export type PeopleWhere = Where<typeof model>;
export type PeopleOrder = OrderBy<typeof model>;
export type PeopleSelection = Selection<typeof model>;

export interface PeopleTypes {
  row: PeopleRow;
  create: PeopleCreate;
  update: PeopleUpdate;
  upsert: PeopleUpsert;
  where: PeopleWhere;
  order: PeopleOrder;
  selection: PeopleSelection;
}

export type PeopleHooks = Hooks<PeopleTypes>;
