import type { OrdersHooks } from "../../generated/models/orders/model.ts";
import { orderReference } from "../shop/reference.ts";

export const fills = { before_create: ["reference", "customer_id"] } as const;

/** A customer orders for themselves; staff name the customer. */
export const before_create: OrdersHooks["before_create"] = (order, { principal }) => {
  if (principal.role === "user") order.customer_id = Number(principal.user_id);
  order.reference = orderReference();
};
