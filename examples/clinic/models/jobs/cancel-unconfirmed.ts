import { defineJob } from "kirak";

/** Each hour, cancels appointments that have begun without a confirmation. */
export default defineJob({
  cron: "0 * * * *",
  payload: { type: "object" },
  async run(_, { db }) {
    const where = { status: "requested", starts_at__lt: new Date().toISOString() } as const;
    const late = await db.appointments.fetch({ where, select_fields: ["id"], limit: 500 });
    if (late.length === 0) return;
    const id__in = late.map(({ id }) => id);
    await db.appointments.update({ where: { ...where, id__in }, data: { status: "cancelled" } });
  },
});
