import { defineJob } from "kirak";

const days = 30;

/** Each night, cancels orders that are unpaid for 30 days, in batches. */
export default defineJob({
  payload: { type: "object", properties: {} },
  cron: "15 3 * * *",
  async run(_, { db, log, signal }) {
    const placed_at__lt = new Date(Date.now() - days * 86_400_000).toISOString();
    const where = { status: "pending", placed_at__lt } as const;
    for (;;) {
      signal.throwIfAborted();
      const unpaid = await db.orders.fetch({ where, select_fields: ["id"], limit: 100 });
      if (unpaid.length === 0) return;
      const id__in = unpaid.map(({ id }) => id);
      const cancelled = await db.orders.update({
        where: { ...where, id__in },
        data: { status: "cancelled" },
      });
      log.info({ cancelled: cancelled.length }, "unpaid orders are cancelled");
    }
  },
});
