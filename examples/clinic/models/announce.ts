import type { MutationContext } from "kirak";
import type { AppointmentsRow } from "../generated/models/appointments/model.ts";

const aDay = 24 * 3_600_000;

/** Reminds of what was confirmed, the day before. An appointment that moves takes its reminder along, by the key. */
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

/** The screen in the waiting room asks each minute; this has it ask at once, so that it may get lost, and needs no job. */
export async function refreshScreen(): Promise<void> {
  const screen = process.env["WAITING_ROOM_URL"];
  if (screen !== undefined) await fetch(screen, { method: "POST", signal: AbortSignal.timeout(2_000) });
}
