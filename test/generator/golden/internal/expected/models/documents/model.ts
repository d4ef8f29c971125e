// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "documents",
  typeName: "Documents",
  table: "documents",
  slug: "documents",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    title: { kind: "string" },
    audit_id: { kind: "bigint", nullable: true },
  },
  relations: {
    audit: { kind: "belongs_to", field: "audit_id", model: "audit_log", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [{ name: "documents_audit_id_fkey", field: "audit_id" }],
});

export interface DocumentsRow {
  id: number;
  title: string;
  audit_id: number | null;
  created_at: string;
  updated_at: string;
}

export interface DocumentsCreate {
  title: string;
  audit_id?: number | null;
}

export type DocumentsUpdate = Partial<DocumentsCreate>;
export type DocumentsUpsert = DocumentsCreate & { id?: number };
export type DocumentsWhere = Where<typeof model>;
export type DocumentsOrder = OrderBy<typeof model>;
export type DocumentsSelection = Selection<typeof model>;

export interface DocumentsTypes {
  row: DocumentsRow;
  create: DocumentsCreate;
  update: DocumentsUpdate;
  upsert: DocumentsUpsert;
  where: DocumentsWhere;
  order: DocumentsOrder;
  selection: DocumentsSelection;
}

export type DocumentsHooks = Hooks<DocumentsTypes>;
