import type { CodeContext } from "kirak";
import type { ShipmentsRow } from "../../generated/models/shipments/model.ts";

/** A parcel that leaves makes its order a shipped one. That happens once, and so does the mail. */
export async function sendOff(
  parcels: readonly ShipmentsRow[],
  { db, mail }: Pick<CodeContext, "db" | "mail">,
): Promise<void> {
  for (const { order_id, carrier, tracking_code, shipped_at } of parcels) {
    const order = shipped_at === null ? null : await db.orders.get(order_id);
    if (order?.status !== "paid") continue;
    await db.orders.update({ where: { id: order.id }, data: { status: "shipped" } });
    const [customer] = await db.customers.fetch({ where: { user_id: order.customer_id } });
    if (customer === undefined) continue;
    const { email: to, name } = customer;
    const data = { name, reference: order.reference, carrier, tracking_code };
    await mail.send({ to, template: "shipped", data });
  }
}
