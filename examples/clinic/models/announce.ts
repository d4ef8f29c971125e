import type { MutationContext } from "kirak";
import type { AppointmentsRow } from "../generated/models/appointments/model.ts";

const aDay = 24 * 3_600_000;

/** Queues a reminder for the day before a confirmed appointment. The job key replaces an earlier reminder. */
export async function remind(
  appointments: readonly AppointmentsRow[],
  { jobs }: MutationContext,
): Promise<void> {
  for (const { id, starts_at, status } of appointments) {
    if (status !== "confirmed") continue;
    const run_at = new Date(Date.parse(starts_at) - aDay);
    await jobs.enqueue("remind", { appointment_id: id, starts_at }, { run_at, key: `appointment ${id}` });
  }
}

/** Refreshes the waiting room's screen at once. The screen also polls each minute, so this needs no job. */
export async function refreshScreen(): Promise<void> {
  const screen = process.env["WAITING_ROOM_URL"];
  if (screen !== undefined) await fetch(screen, { method: "POST", signal: AbortSignal.timeout(2_000) });
}
