// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "audit_log",
  typeName: "AuditLog",
  table: "audit_log",
  slug: "audit_log",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    event: { kind: "string" },
    address: { kind: "string", nullable: true },
  },
  relations: {},
  uniqueKeys: [],
  foreignKeys: [],
});

export interface AuditLogRow {
  id: number;
  event: string;
  address: string | null;
  created_at: string;
  updated_at: string;
}

export interface AuditLogCreate {
  event: string;
  address?: string | null;
}

export type AuditLogUpdate = Partial<AuditLogCreate>;
export type AuditLogUpsert = AuditLogCreate & { id?: number };
export type AuditLogWhere = Where<typeof model>;
export type AuditLogOrder = OrderBy<typeof model>;
export type AuditLogSelection = Selection<typeof model>;

export interface AuditLogTypes {
  row: AuditLogRow;
  create: AuditLogCreate;
  update: AuditLogUpdate;
  upsert: AuditLogUpsert;
  where: AuditLogWhere;
  order: AuditLogOrder;
  selection: AuditLogSelection;
}

export type AuditLogHooks = Hooks<AuditLogTypes>;
