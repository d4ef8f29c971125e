import type { Rows } from "../../../test/support/any-service.ts";

const user = (sub: number, name: string) => ({
  role: "user",
  sub: String(sub),
  email: `${name}@example.com`,
});

/** Two practices, Elm and Oak, and who calls. */
export const people = {
  dora: user(1, "dora"),
  dan: user(2, "dan"),
  /** Reception and manager of Elm. */
  rita: user(3, "rita"),
  max: user(4, "max"),
  /** Patients of Elm. */
  pat: user(5, "pat"),
  pia: user(6, "pia"),
  /** Doctor, manager and patient of Oak. */
  otto: user(7, "otto"),
  olga: user(8, "olga"),
  paul: user(9, "paul"),
  /** Worked at the reception of Elm. */
  gone: user(10, "gone"),
  auditor: user(11, "auditor"),
  admin: { role: "admin", sub: "12", email: "admin@example.com" },
  guest: null,
} as const;

export type Person = keyof typeof people;

const hour = 3_600_000;

const started = Date.now();

/** So many hours after the start of the tests: the same number is the same moment. */
export const inHours = (hours: number): string => new Date(started + hours * hour).toISOString();

const [elm, oak] = [1, 2];
const record = (id: number, patient_id: number, doctor_id: number, created_at: string) => ({
  id,
  patient_id,
  doctor_id,
  text: `Record ${id}`,
  created_at,
});

/** Made for each test: times count from now. */
export const rows = (): Rows => ({
  users: Object.entries(people).flatMap(([first_name, each]) =>
    each === null
      ? []
      : [
          {
            id: Number(each.sub),
            email: each.email,
            role: each.role,
            first_name,
            is_verified: true,
            is_auditor: first_name === "auditor",
          },
        ],
  ),
  practices: [
    { id: elm, name: "Elm", city: "Delft" },
    { id: oak, name: "Oak", city: "Ghent" },
  ],
  staff: [
    { id: 1, practice_id: elm, user_id: 3, duty: "reception", deleted_at: null },
    { id: 2, practice_id: elm, user_id: 4, duty: "manager", deleted_at: null },
    { id: 3, practice_id: oak, user_id: 8, duty: "manager", deleted_at: null },
    { id: 4, practice_id: elm, user_id: 10, duty: "reception", deleted_at: inHours(-1) },
  ],
  doctors: [
    { id: 1, practice_id: elm, user_id: 1, name: "Dora" },
    { id: 2, practice_id: elm, user_id: 2, name: "Dan" },
    { id: 3, practice_id: oak, user_id: 7, name: "Otto" },
    { id: 4, practice_id: elm, user_id: 12, name: "Without patients" },
  ],
  patients: [
    { id: 1, practice_id: elm, doctor_id: 1, user_id: 5, name: "Pat", born_on: "1990-01-01" },
    { id: 2, practice_id: elm, doctor_id: 2, user_id: 6, name: "Pia", born_on: "1990-01-01" },
    { id: 3, practice_id: elm, doctor_id: 1, name: "Closed", born_on: "1990-01-01", closed_at: inHours(-1) },
    { id: 4, practice_id: oak, doctor_id: 3, user_id: 9, name: "Paul", born_on: "1990-01-01" },
  ],
  appointments: [
    { id: 1, patient_id: 1, doctor_id: 2, starts_at: inHours(2), ends_at: inHours(3), status: "confirmed" },
    { id: 2, patient_id: 4, doctor_id: 3, starts_at: inHours(2), ends_at: inHours(3), status: "requested" },
    { id: 3, patient_id: 2, doctor_id: 2, starts_at: inHours(8), ends_at: inHours(9), status: "requested" },
  ],
  records: [
    record(1, 1, 1, inHours(-1)),
    record(2, 1, 1, inHours(0)),
    record(3, 2, 2, inHours(-1)),
    record(4, 4, 3, inHours(0)),
    record(5, 3, 1, inHours(0)),
  ],
  approvals: [
    { id: 1, record_id: 1, doctor_id: 2, outcome: "approved" },
    { id: 2, record_id: 3, doctor_id: 1, outcome: "rejected" },
  ],
});
