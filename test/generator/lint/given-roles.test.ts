import { expect, test } from "vitest";
import { rolesGivenIn } from "#generator/lint/lint-roles";

test.each<[string, string, readonly string[]]>([
  ["an update of accounts", 'transaction("users").update({ role: "nurse" })', ["users", "nurse"]],
  ["SQL", "insert into users (email, role) values ('a@b', 'nurse')", ["a@b", "nurse"]],
  ["an argument", "account(7, `clerk`)", ["clerk"]],
  ["what is compared", 'if (user.role === "clerk" || "clerk" != user.role) {}', []],
  ["a case", 'switch (user.role) { case "clerk": }', []],
  ["what is not about accounts", 'memberships.insert({ role: "owner" })', []],
])("%s", (_, text, expected) => {
  expect([...rolesGivenIn(new Map([["a.ts", text]]))]).toEqual(expected);
});
