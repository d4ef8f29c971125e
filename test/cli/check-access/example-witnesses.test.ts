import { expect, it } from "vitest";
import { guest, type Principal } from "#runtime/models/access/index";
import { newCaller, type RuleOf, rulesOf, witnessesOf, worldOfApp } from "./support/witnesses-of-app.ts";

const overlap =
  "id <> this.id AND status <> 'cancelled' AND starts_at < this.ends_at AND ends_at > this.starts_at";

/** The counts of an app, and the atoms without a witness. */
interface Expected {
  readonly rules: number;
  readonly in: number;
  readonly out: number;
  readonly missing: readonly string[];
}

const apps: readonly (readonly [app: string, expected: Expected])[] = [
  [
    ".",
    {
      rules: 63,
      in: 64,
      out: 41,
      missing: [
        "orders.create user: status = 'pending': the caller cannot write status",
        "reviews.create user: status = 'pending': the caller cannot write status",
        "reviews.insert user: moderated_at IS NULL: the caller cannot write moderated_at",
      ],
    },
  ],
  ["examples/tracker", { rules: 33, in: 34, out: 148, missing: [] }],
  [
    "examples/clinic",
    {
      rules: 31,
      in: 38,
      out: 88,
      missing: [
        "appointments.update signed_in: status = 'cancelled': conflicts with the constraint appointments_one_at_a_time",
        `appointments.update signed_in: NOT EXISTS (doctor.appointments WHERE ${overlap}): conflicts with the constraint appointments_one_at_a_time`,
      ],
    },
  ],
  ["examples/blank", { rules: 8, in: 8, out: 7, missing: [] }],
];

it.each(apps)("each rule of %s has a row, and nearly all atoms have one", async (app, expected) => {
  const world = await worldOfApp(app);
  const callers: [RuleOf, Principal][] = [];
  for (const [index, each] of rulesOf(world).entries()) {
    const { role } = each.rule;
    const isOpen = role === "guest" || role === "*";
    const caller = isOpen
      ? guest
      : await newCaller(world, String(index + 1), role === "signed_in" ? "user" : role);
    callers.push([each, caller]);
  }
  const counts = { rules: callers.length, in: 0, out: 0 };
  const missing: string[] = [];
  for (const [each, caller] of callers) {
    const found = await witnessesOf(world, each, caller);
    for (const { kind } of found.made) counts[kind]++;
    const place = `${each.model.key}.${each.operation} ${each.rule.role}`;
    missing.push(...found.missing.map(({ atom, reason }) => `${place}: ${atom}: ${reason}`));
  }
  expect({ ...counts, missing }).toEqual(expected);
});
