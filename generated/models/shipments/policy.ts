// Made by `npm run generate` from models/models.json. Edit that file, not this one.
import { and, caller, definePolicy, eq, isNotNull } from "kirak/access";
import type { model as orders } from "../orders/model.ts";
import type { model } from "./model.ts";

export const policy = definePolicy<typeof model, { orders: typeof orders }>({
  fetch: {
    user: and(eq("order.customer_id", caller.user_id), isNotNull("shipped_at")),
    staff: true,
    admin: true,
  },
  search: {},
  count: "as fetch",
  exists: "as fetch",
  create: { staff: true, admin: true },
  update: { staff: true, admin: true },
  upsert: {},
  delete: { admin: true },
  destroy: {},
  restore: {},
  fields: {},
});
