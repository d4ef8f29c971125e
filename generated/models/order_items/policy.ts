// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq } from "kirak/access";
import type { model as orders } from "../orders/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { orders: typeof orders }>({
  fetch: {
    user: eq("order.customer_id", caller.user_id),
    staff: true,
    admin: true,
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: {
    user: and(eq("order.customer_id", caller.user_id), eq("order.status", "pending")),
    staff: eq("order.status", "pending"),
    admin: eq("order.status", "pending"),
  },
  update: {},
  upsert: {},
  delete: {
    user: and(eq("order.customer_id", caller.user_id), eq("order.status", "pending")),
    staff: eq("order.status", "pending"),
    admin: eq("order.status", "pending"),
  },
  destroy: {},
  restore: {},
  fields: {
    unit_price: { write: [] },
  },
});
