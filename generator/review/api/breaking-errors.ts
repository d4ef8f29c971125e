import type { ApiSurface } from "../../emit/views/api-surface.ts";
import type { BreakingChange } from "./breaking-fields.ts";

/** What callers notice of the app's own errors: a code that is gone, and one with another status. */
export function errorChanges(before: ApiSurface, after: ApiSurface): BreakingChange[] {
  const now = new Map(Object.entries(after.errors));
  return Object.entries(before.errors).flatMap(([code, was]) => {
    const is = now.get(code);
    if (is === was) return [];
    return is === undefined
      ? [{ change: `the error ${code} is gone`, notices: "whoever tells it by its code" }]
      : [
          {
            change: `the error ${code} has status ${is}, ${was} before`,
            notices: "whoever goes by the status",
          },
        ];
  });
}
