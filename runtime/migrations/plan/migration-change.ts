import type { Migration, Step } from "../../../vocabulary/migration-steps.ts";
import { type OnlinePlan, planOnline } from "./online-plan.ts";

/** A migration that is to be applied or taken back. */
export interface Change {
  readonly migration: Migration;
  readonly direction: "up" | "down";
  readonly steps: readonly Step[];
  readonly plan: OnlinePlan;
}

export function changeOf(migration: Migration, direction: Change["direction"]): Change {
  const steps = migration[direction];
  return { migration, direction, steps, plan: planOnline(steps) };
}

/** A change that only the history learns of: the tables are there. */
export function marked(migration: Migration): Change {
  return { migration, direction: "up", steps: [], plan: planOnline([]) };
}
