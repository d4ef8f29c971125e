import { expect, test } from "vitest";
import { longestPattern as inConditions } from "../../generator/conditions/fit.ts";
import { longestPattern as inRequests } from "../../runtime/sql/pattern.ts";

// The two programs share no code.
test("generator and runtime agree on how long a pattern may be", () => {
  expect(inConditions).toBe(inRequests);
});
