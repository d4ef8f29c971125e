import type { Scenario } from "./scenarios.ts";

/** Two live rows of `hooked` and a deleted one. */
export const rows = [
  { id: 1, name: "one", number: 1, code: "c", deleted_at: null },
  { id: 2, name: "two", number: 2, code: "c", deleted_at: null },
  { id: 3, name: "gone", number: null, code: "c", deleted_at: "2026-01-01T00:00:00+00:00" },
];

/** A record that makes a fourth one. */
export const record = { name: "new", number: 5, code: "c" };

/** A request of an admin to `hooked`, with these rows: `run("PUT update", body)`. */
export function run(send: string, body: Scenario["body"], more: Partial<Scenario> = {}): Scenario {
  return {
    given: { hooked: rows },
    as: "admin",
    send: send.replace(" ", " /hooked/"),
    ...(body !== undefined && { body }),
    ...more,
  };
}
