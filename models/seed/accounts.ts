import type { Customer } from "./customers.ts";
import { knownEmails } from "./people.ts";
import { timestamp, today } from "./time.ts";

/** The password of all seeded accounts in the embedded database, which no other machine can reach. */
export const developmentPassword = "One.More.Chapter.1";

function account(id: number, email: string, role: string, name: string, created: string, password: string) {
  const [first_name = "", ...rest] = name.split(" ");
  return {
    id,
    email,
    password,
    role,
    first_name,
    last_name: rest.join(" "),
    is_verified: true,
    is_active: true,
    created_at: created,
    updated_at: created,
  };
}

/** An account for each customer, and two more; all with one password, of which this is the hash. */
export function accounts(of: readonly Customer[], passwordHash: string) {
  const since = timestamp(today);
  return [
    ...of.map(({ user_id, email, name, created_at }) =>
      account(user_id, email, "user", name, created_at, passwordHash),
    ),
    account(of.length + 1, knownEmails.staff, "staff", "Sam Staff", since, passwordHash),
    account(of.length + 2, knownEmails.admin, "admin", "Ada Admin", since, passwordHash),
  ];
}
