import { defineRoute } from "kirak";
import { slotMinutes } from "../slot.ts";

const time = { type: "string", format: "datetime" } as const;

/** Free slots of a doctor on a day, from 9 to 17 o'clock UTC, without data of patients. */
export default defineRoute({
  method: "GET",
  path: "/doctors/:id/slots",
  access: ["*"],
  params: { type: "object", properties: { id: { type: "integer" } } },
  query: { type: "object", properties: { day: { type: "string", format: "date" } }, required: ["day"] },
  answer: { type: "array", items: { type: "object", properties: { starts_at: time, ends_at: time } } },
  handler: ({ params: { id }, query: { day } }, { sql }) => sql`
    with slots as (
      select starts_at, starts_at + make_interval(mins => ${slotMinutes}) as ends_at
      from generate_series(
        (${day}::date + time '09:00') at time zone 'UTC', (${day}::date + time '16:59') at time zone 'UTC',
        make_interval(mins => ${slotMinutes})) starts_at
    )
    select starts_at, ends_at from slots
    where starts_at > now() + interval '1 hour' and not exists (
      select from appointments taken
      where doctor_id = ${id} and status <> 'cancelled'
        and taken.starts_at < slots.ends_at and taken.ends_at > slots.starts_at
    )
    order by starts_at`,
});
