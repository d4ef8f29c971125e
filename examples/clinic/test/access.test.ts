import { join } from "node:path";
import { checkAccess } from "kirak/testing";
import { expect, test } from "vitest";
import { service } from "../generated/index.ts";

// Each role asks for each row and field, over REST and GraphQL. The models say what the answers must be.
test("the access rules hold", { timeout: 240_000 }, async () => {
  const { cells } = await checkAccess(service, { root: join(import.meta.dirname, "..") });
  const named = (outcome: string) =>
    cells
      .filter((cell) => cell.outcome === outcome)
      .map(({ model, operation, caller, rows }) => `${model}.${operation} as ${caller}: ${rows}`);
  expect(named("failed")).toEqual([]);
  // The exclusion constraint of appointments prevents these rows.
  expect(named("not tried").sort()).toEqual([
    "appointments.search as user: out: EXISTS (doctor.practice.staff WHERE user_id = {user_id})",
    "appointments.update as user: out: NOT EXISTS (doctor.appointments WHERE id <> this.id AND status <> 'cancelled' AND starts_at < this.ends_at AND ends_at > this.starts_at)",
    "appointments.update as user: out: status = 'cancelled'",
  ]);
});
