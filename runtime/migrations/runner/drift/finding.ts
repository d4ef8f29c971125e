import type { Difference } from "./difference.ts";

/** A difference, and whether the service and its migrations can live with it. */
export interface Finding extends Difference {
  readonly harmless: boolean;
}

/** What a service or a migration may fail on. */
export function fault(difference: Difference): Finding {
  return { ...difference, harmless: false };
}

/** What does no harm. */
export function remark(difference: Difference): Finding {
  return { ...difference, harmless: true };
}
