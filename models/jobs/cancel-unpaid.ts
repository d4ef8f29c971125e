import { defineJob } from "kirak";

const days = 30;

/** Each night: orders that nobody has paid for within that time are cancelled. */
export default defineJob({
  payload: { type: "object", properties: {} },
  cron: "15 3 * * *",
  async run(_, { db, log }) {
    const placed_at__lt = new Date(Date.now() - days * 86_400_000).toISOString();
    const where = { status: "pending", placed_at__lt } as const;
    if (!(await db.orders.exists(where))) return;
    const cancelled = await db.orders.update({ where, data: { status: "cancelled" } });
    log.info({ cancelled: cancelled.length }, "unpaid orders are cancelled");
  },
});
