import { ServiceError } from "kirak";
import type { OrdersHooks } from "../../generated/models/orders/model.ts";
import { orderReference } from "../shop/reference.ts";
import { moveStock, type OrderLine } from "../shop/stock.ts";

export const fills = { before_create: ["reference", "customer_id"] } as const;

/** Customers order for themselves; staff send the customer's id. */
export const before_create: OrdersHooks["before_create"] = (order, { principal }) => {
  if (principal.role === "user") order.customer_id = Number(principal.user_id);
  order.reference = orderReference();
};

/** A cancelled order stays cancelled: its copies are back on the shelf, and others can have bought them. */
export const before_update: OrdersHooks["before_update"] = async ({ data }, { rows }) => {
  if (data.status === undefined) return;
  const isCancelled = (await rows()).some(({ status }) => status === "cancelled");
  if (isCancelled && data.status !== "cancelled") throw new ServiceError("ORDER_CANCELLED");
};

/** Returns the copies of cancelled orders to the shelf, unless the order was shipped. */
export const after_update: OrdersHooks["after_update"] = async (
  _,
  { before = [], after, sql, transaction },
) => {
  const here = new Set(before.filter(({ status }) => /pending|paid/.test(status)).map(({ id }) => id));
  if (here.size === 0) return;
  const cancelled = (await after()).filter(({ id, status }) => status === "cancelled" && here.has(id));
  if (cancelled.length === 0) return;
  const lines = await sql<OrderLine>`
    select id, book_id, quantity from order_items
    where order_id = any(${cancelled.map(({ id }) => id)}) and deleted_at is null`;
  await moveStock(transaction, lines, "return");
};
