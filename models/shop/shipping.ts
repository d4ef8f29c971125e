import type { CodeContext } from "kirak";
import type { OrdersRow } from "../../generated/models/orders/model.ts";
import type { ShipmentsRow } from "../../generated/models/shipments/model.ts";

const twoWeeks = 14 * 86_400_000;

/** Updates the order of each parcel. The checks of the status prevent a second mail or job. */
export async function follow(parcels: readonly ShipmentsRow[], context: CodeContext): Promise<void> {
  for (const parcel of parcels) {
    const order = await context.db.orders.get(parcel.order_id);
    if (order?.status === "paid" && parcel.shipped_at !== null) await sendOff(order, parcel, context);
    if (order?.status === "shipped" && parcel.delivered_at !== null) await arrive(order, context);
  }
}

async function sendOff(
  { id, reference, customer_id }: OrdersRow,
  { carrier, tracking_code }: ShipmentsRow,
  { db, mail }: Pick<CodeContext, "db" | "mail">,
): Promise<void> {
  await db.orders.update({ where: { id }, data: { status: "shipped" } });
  const [customer] = await db.customers.fetch({ where: { user_id: customer_id } });
  if (customer === undefined) return;
  const { email: to, name } = customer;
  await mail.send({ to, template: "shipped", data: { name, reference, carrier, tracking_code } });
}

async function arrive({ id }: OrdersRow, { db, jobs }: Pick<CodeContext, "db" | "jobs">): Promise<void> {
  await db.orders.update({ where: { id }, data: { status: "delivered" } });
  await jobs.enqueue("ask-for-reviews", { order_id: id }, { run_at: new Date(Date.now() + twoWeeks) });
}
