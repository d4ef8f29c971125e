import { expect, test } from "vitest";
import { ruleKey, ruleNames } from "../../../generator/emit/views/rule-names.ts";
import type { Condition } from "../../../vocabulary/conditions.ts";
import { rule } from "../support/definitions.ts";

const status = (value: string): Condition => ({ op: "eq", field: "status", value: value });
const [draft, published] = [rule("user", status("draft")), rule("user", status("published"))];

test("a rule keeps its name whatever is put before it", () => {
  const before = ruleNames([published]);
  const after = ruleNames([draft, published]);
  expect(after.get(ruleKey(published))).toBe(before.get(ruleKey(published)));
  expect([...after.values()]).toEqual(["userWhenStatusDraft", "userWhenStatusPublished"]);
});

test.each<[Condition, RegExp]>([
  [{ op: "eq", field: "owner_id", value: { placeholder: "user_id" } }, /^userWhenOwnerIdIsCaller$/],
  [{ op: "eq", field: "hidden", value: false }, /^userWhenNotHidden$/],
  [{ op: "in", field: "views", values: [1, 2] }, /^userWhenViewsIn1Or2$/],
  [{ op: "like", field: "title", value: "%a" }, /^userWhenTitle_[0-9a-f]{6}$/],
  [status("Published"), /^userWhenStatus_[0-9a-f]{6}$/],
  [{ op: "and", conditions: [status("a"), { op: "is_null", field: "b" }] }, /^userWhenStatusAAndBNull$/],
  [
    { op: "and", conditions: [{ op: "or", conditions: [status("a"), status("b")] }, status("c")] },
    /^userWhenStatus_[0-9a-f]{6}$/,
  ],
])("the name of a rule on %j", (condition, name) => {
  expect([...ruleNames([rule("user", condition)]).values()][0]).toMatch(name);
});

test("no rule takes a name that policy.ts has already", () => {
  const roles = ["policy", "limits", "defineLimits", "model"].map((role) => rule(role));
  expect([...ruleNames(roles).values()]).toEqual([
    "policyRole",
    "limitsRole",
    "defineLimitsRole",
    "modelRole",
  ]);
});

test("names that would be the same, or none, are told apart by their rules", () => {
  const names = [...ruleNames(["Admin", "admin", "default", "ключ", "*"].map((role) => rule(role))).values()];
  expect(names[0]).toMatch(/^admin_[0-9a-f]{6}$/);
  expect(names[1]).toMatch(/^admin_[0-9a-f]{6}$/);
  expect(names[2]).toBe("defaultRole");
  expect(names[3]).toMatch(/^role[0-9a-f]{6}$/);
  expect(names[4]).toBe("everyone");
  expect(new Set(names).size).toBe(5);
});
