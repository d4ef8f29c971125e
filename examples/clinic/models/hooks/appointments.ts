import { type MutationContext, ServiceError } from "kirak";
import type { AppointmentsHooks, AppointmentsRow } from "../../generated/models/appointments/model.ts";
import { refreshScreen, remind } from "../announce.ts";
import { slotMinutes } from "../slot.ts";

export const fills = { before_create: ["ends_at"] } as const;

export const before_create: AppointmentsHooks["before_create"] = async (appointment, context) => {
  const starts = Date.parse(appointment.starts_at);
  appointment.ends_at ??= new Date(starts + slotMinutes * 60_000).toISOString();
  await requireFree({ ...appointment, ends_at: appointment.ends_at }, context);
};

export const before_update: AppointmentsHooks["before_update"] = async ({ data }, context) => {
  for (const appointment of await context.rows()) await requireFree({ ...appointment, ...data }, context);
};

/** Queues a reminder only if the status or the time has changed. `before` has the rows of `rows()`. */
export const after_update: AppointmentsHooks["after_update"] = async (_, context) => {
  const was = new Map(context.before?.map((appointment) => [appointment.id, appointment]));
  const changed = (await context.after()).filter(({ id, status, starts_at }) => {
    const before = was.get(id);
    return status !== before?.status || starts_at !== before.starts_at;
  });
  await remind(changed, context);
  context.afterCommit(refreshScreen);
};

/** Gives a clearer error than the 403 of the access rules. The rules also cover concurrent requests. */
async function requireFree(
  { id, doctor_id, starts_at, ends_at, status }: Times,
  { db }: MutationContext,
): Promise<void> {
  if (status === "cancelled") return;
  const meanwhile = { starts_at__lt: ends_at, ends_at__gt: starts_at, status__ne: "cancelled" } as const;
  const others = id === undefined ? {} : { id__ne: id };
  if (await db.appointments.exists({ doctor_id, ...meanwhile, ...others }))
    throw new ServiceError("SLOT_TAKEN");
}

interface Times extends Pick<AppointmentsRow, "doctor_id" | "starts_at" | "ends_at"> {
  readonly id?: number;
  readonly status?: string;
}
