import { defineJob } from "kirak";
import { accountOf } from "../account.ts";

/** Reads the appointment again, because it can have been cancelled or moved since the job was queued. */
export default defineJob({
  payload: {
    type: "object",
    properties: { appointment_id: { type: "integer" }, starts_at: { type: "string" } },
    required: ["appointment_id", "starts_at"],
  },
  async run({ appointment_id, starts_at }, { db, sms }) {
    const where = { id: appointment_id, starts_at, status: "confirmed" } as const;
    const [appointment] = await db.appointments.fetch({ where });
    const account = appointment && (await accountOf(appointment.patient_id, { db }));
    if (!account?.phone_number) return;
    const text = `Your appointment is on ${starts_at.slice(0, 10)} at ${starts_at.slice(11, 16)} UTC.`;
    await sms.send({ to: account.phone_number, text });
  },
});
