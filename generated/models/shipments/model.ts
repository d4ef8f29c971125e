// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "shipments",
  typeName: "Shipments",
  table: "shipments",
  slug: "shipments",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    order_id: { kind: "uuid" },
    carrier: { kind: "string", enum: ["PostNL", "DHL", "UPS", "bicycle"] },
    tracking_code: { kind: "string", nullable: true },
    weight_kg: { kind: "float", nullable: true },
    shipped_at: { kind: "datetime", nullable: true },
    delivered_at: { kind: "datetime", nullable: true },
  },
  relations: {
    order: { kind: "belongs_to", field: "order_id", model: "orders", references: "id" },
  },
  uniqueKeys: [
    { name: "shipments_order_id_key", fields: ["order_id"] },
    { name: "shipments_tracking_code_key", fields: ["tracking_code"] },
  ],
  foreignKeys: [{ name: "shipments_order_id_fkey", field: "order_id" }],
});

/** The parcel of an order, at most one. */
export interface ShipmentsRow {
  id: number;
  order_id: string;
  carrier: "PostNL" | "DHL" | "UPS" | "bicycle";
  tracking_code: string | null;
  weight_kg: number | null;
  shipped_at: string | null;
  delivered_at: string | null;
  created_at: string;
  updated_at: string;
}

export interface ShipmentsCreate {
  order_id: string;
  carrier: "PostNL" | "DHL" | "UPS" | "bicycle";
  tracking_code?: string | null;
  weight_kg?: number | null;
  shipped_at?: string | null;
  delivered_at?: string | null;
}

export type ShipmentsUpdate = Partial<ShipmentsCreate>;
export type ShipmentsUpsert = ShipmentsCreate & { id?: number };
export type ShipmentsWhere = Where<typeof model>;
export type ShipmentsOrder = OrderBy<typeof model>;
export type ShipmentsSelection = Selection<typeof model>;

export interface ShipmentsTypes {
  row: ShipmentsRow;
  create: ShipmentsCreate;
  update: ShipmentsUpdate;
  upsert: ShipmentsUpsert;
  where: ShipmentsWhere;
  order: ShipmentsOrder;
  selection: ShipmentsSelection;
}

export type ShipmentsHooks = Hooks<ShipmentsTypes>;
