// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import type { Hooks } from "kirak/hooks";
import { defineModel, type OrderBy, type Selection, type Where } from "kirak/model";

export const model = defineModel({
  key: "stock_movements",
  typeName: "StockMovements",
  table: "stock_movements",
  slug: "stock_movements",
  id: "bigint",
  softDelete: false,
  maxLimit: 1000,
  fields: {
    book_id: { kind: "bigint" },
    order_item_id: { kind: "bigint", nullable: true },
    change: { kind: "integer" },
    reason: { kind: "string", enum: ["sale", "return", "delivery", "correction"] },
    delivery_id: { kind: "uuid", nullable: true },
  },
  relations: {
    book: { kind: "belongs_to", field: "book_id", model: "books", references: "id" },
    order_item: { kind: "belongs_to", field: "order_item_id", model: "order_items", references: "id" },
  },
  uniqueKeys: [],
  foreignKeys: [
    { name: "stock_movements_book_id_fkey", field: "book_id" },
    { name: "stock_movements_order_item_id_fkey", field: "order_item_id" },
  ],
});

/** Each change of the stock. Only hooks write it; no route reaches it. */
export interface StockMovementsRow {
  id: number;
  book_id: number;
  order_item_id: number | null;
  /** Number of copies, negative for a sale. */
  change: number;
  reason: "sale" | "return" | "delivery" | "correction";
  /** The supplier's delivery note. */
  delivery_id: string | null;
  created_at: string;
  updated_at: string;
}

export interface StockMovementsCreate {
  book_id: number;
  order_item_id?: number | null;
  change: number;
  reason: "sale" | "return" | "delivery" | "correction";
  delivery_id?: string | null;
}

export type StockMovementsUpdate = Partial<StockMovementsCreate>;
export type StockMovementsUpsert = StockMovementsCreate & { id?: number };
export type StockMovementsWhere = Where<typeof model>;
export type StockMovementsOrder = OrderBy<typeof model>;
export type StockMovementsSelection = Selection<typeof model>;

export interface StockMovementsTypes {
  row: StockMovementsRow;
  create: StockMovementsCreate;
  update: StockMovementsUpdate;
  upsert: StockMovementsUpsert;
  where: StockMovementsWhere;
  order: StockMovementsOrder;
  selection: StockMovementsSelection;
}

export type StockMovementsHooks = Hooks<StockMovementsTypes>;
