import { expect, test } from "vitest";
import type { RuleDefinition } from "#generator/definition/definition";
import { policyView } from "#generator/emit/views/policy-view";
import type { Condition } from "#vocabulary/conditions/conditions";
import type { Operation } from "#vocabulary/operations";
import { access, model, rule } from "../support/definitions.ts";

type Rules = readonly RuleDefinition[];

/** The rules of each operation as they are printed. */
function printed(rules: Partial<Record<Operation, Rules>>): Record<string, string> {
  const { operations } = policyView(model("books", { access: access(rules) }), []);
  return Object.fromEntries(operations.map((entry) => [entry.operation, entry.rules]));
}

const status = (value: string): Condition => ({ op: "eq", field: "status", value });
const admin = rule("admin");

// biome-ignore format: one case a line
test.each<[string, Rules, string]>([
  ["no role", [], "{  }"],
  ["roles that see all", [rule("*"), admin], '{ "*": true, admin: true }'],
  ["a role a line", [rule("user", status("a")), admin], '{\nuser: eq("status", "a"),\nadmin: true }'],
  ["each condition of a role", [rule("user", status("a")), admin, rule("user", status("b"))],
    '{\nuser: or(eq("status", "a"), eq("status", "b")),\nadmin: true }'],
  ["a condition once", [rule("user", status("a")), rule("user", status("a"))], '{\nuser: eq("status", "a") }'],
  ["named fields", [rule("user", null, ["b"]), rule("user", status("a")), rule("staff", status("a"), ["c", "d"])],
    '{\nuser: [\neq("status", "a"),\n{ fields: ["b"], rows: true }],\nstaff: { fields: ["c", "d"], rows: eq("status", "a") } }'],
  ["a role that sees all", [rule("user", status("a")), rule("user")], "{ user: true }"],
])("rules of %s", (_, rules, text) => {
  expect(printed({ search: rules })["search"]).toBe(text);
});

test("a role may have any name", () => {
  const roles = ["Admin", "admin", "default", "then", "ключ", "1", "__proto__", 'a"\u202eb'].map((role) =>
    rule(role),
  );
  expect(printed({ search: roles })["search"]).toBe(
    '{ Admin: true, admin: true, default: true, "then": true, "ключ": true, "1": true, ["__proto__"]: true, "a\\"\\u202eb": true }',
  );
});

test("what falls back names whose rules it has, and what has rules of its own shows them, the same ones too", () => {
  const own = "{ admin: true }";
  expect(printed({ fetch: [admin], create: [admin], update: [admin] })).toMatchObject({
    ...{ fetch: own, search: "{  }", create: own, update: own },
    ...{ count: '"as fetch"', exists: '"as fetch"', upsert: '"as create and update"' },
  });
  expect(printed({ fetch: [admin], count: [admin], create: [admin], upsert: [admin] })).toMatchObject({
    ...{ count: own, exists: '"as fetch"', upsert: own },
  });
});

test("search names fetch if it has its rules", () => {
  const books = model("books", { access: { ...access({ fetch: [admin] }), fallbacks: ["search"] } });
  const { operations } = policyView(books, []);
  expect(operations).toContainEqual({ operation: "search", rules: '"as fetch"' });
});

test("a further role changes only the rules of its operation", () => {
  const list = [rule("user", status("a")), admin];
  const all = {
    ...{ fetch: [...list], count: [...list], create: [...list] },
    ...{ update: [...list], upsert: [...list], delete: [...list] },
  };
  for (const operation of Object.keys(all)) {
    const before = printed(all);
    const after = printed({ ...all, [operation]: [rule("guest"), ...list] });
    expect(after).toEqual({ ...before, [operation]: before[operation]?.replace("{", "{\nguest: true,") });
  }
});
