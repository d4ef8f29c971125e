import { expect, test } from "vitest";
import { reachOf, requireReach } from "#runtime/storage/keys/key-reach";

const caller = (user_id: string | null, role: string) => ({ user_id, role, email: null });

test.each([
  ["7", "user"],
  ["7", ""],
  ["a/b", "user"],
])("in a shared store everybody reaches everything: %j, %j", (user, role) => {
  expect(reachOf(caller(user, role), { scope: "shared" })).toBe("");
});

test.each(["admin", "system", "superadmin"])("%s reaches everything", (role) => {
  expect(reachOf(caller("7", role), { scope: "user" })).toBe("");
});

test.each([
  ["7", "users/7/"],
  ["0b5c8f5e-1c5e-4f5e-8f5e-0b5c8f5e1c5e", "users/0b5c8f5e-1c5e-4f5e-8f5e-0b5c8f5e1c5e/"],
  ["a b", "users/a b/"],
])("user %s reaches %s alone", (user, reach) => {
  expect(reachOf(caller(user, "user"), { scope: "user" })).toBe(reach);
  expect(reachOf(caller(user, ""), { scope: "user" })).toBe(reach);
});

// Tokens may come from somebody else who signs with the same secret.
test.each([null, "", "..", ".", "../7", "7/..", "a/b", ".hidden", "7/", "/7", "a\0", "e\u0301", "*", "7\n"])(
  "a user by the id %j reaches nothing",
  (user) => {
    expect(reachOf(caller(user, "user"), { scope: "user" })).toBeNull();
  },
);

test.each([
  ["", "a"],
  ["", "users/7/a"],
  ["users/7/", "users/7/a"],
  ["users/7/", "users/7/a/b"],
  ["users/7/", "users/7/"],
])("the reach %j has %j", (reach, key) => {
  expect(() => requireReach(reach, key)).not.toThrow();
});

test.each([
  [null, ""],
  [null, "a"],
  [null, "users/7/a"],
  ["users/7/", "a"],
  ["users/7/", ""],
  ["users/7/", "users/7"],
  ["users/7/", "users/77/a"],
  ["users/7/", "users/8/a"],
  ["users/7/", "Users/7/a"],
  ["users/7/", "a/users/7/b"],
])("the reach %j has not %j", (reach, key) => {
  expect(() => requireReach(reach, key)).toThrow(expect.objectContaining({ code: "PERMISSION_DENIED" }));
});
