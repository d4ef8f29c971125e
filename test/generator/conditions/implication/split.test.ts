import { expect, test } from "vitest";
import { splitAtOr } from "#generator/conditions/index";

// biome-ignore format: one case a line
test.each([
  ["a = b OR c < d", ["a = b", "c < d"]],
  ["a = where or where = b", ["a = where", "where = b"]],
  ["a = b.c OR or = 1 AND or < d", ["a = b.c", "or = 1 AND or < d"]],
  ["EXISTS (a WHERE b = 1 OR c = 2) OR NOT EXISTS (d)", ["EXISTS (a WHERE b = 1 OR c = 2)", "NOT EXISTS (d)"]],
  ["a > now() - interval '1 day' OR {user.b} = true OR c IS NULL", ["a > now() - interval '1 day'", "{user.b} = true", "c IS NULL"]],
  ["NOT or = 1", ["NOT or = 1"]],
])("%s has its alternatives between its outermost ORs", (text, parts) => {
  expect(splitAtOr(text)).toEqual(parts);
});
