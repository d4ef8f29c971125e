import { expect, test } from "vitest";
import { exportedHooks } from "#generator/load/read-hooks";
import { project } from "../support/project.ts";

// biome-ignore format: one case a line
test.each<[string, string, readonly string[]]>([
  ["constants", "export const before_create = f;\nexport let after_update: Hook = f;", ["before_create", "after_update"]],
  ["functions", "export async function before_create() {}\nexport function after_create() {}", ["before_create", "after_create"]],
  ["several of one statement",
    "export const before_create = f, after_create: Hook<A, B> = (a, b = 1) => g({ a, b }), shared = 1,\n  before_update = h;",
    ["before_create", "after_create", "before_update"]],
  ["none of what follows a statement",
    'export const before_create = f("(", { a, before_update: 1 })\nconst a = 1, before_upsert = 2;\nexport const after_create = f, after_update = g',
    ["before_create", "after_create", "after_update"]],
  ["lists", "export { f as before_create, before_update, type X };", ["before_create", "before_update"]],
  ["of another module", 'export { create as before_create } from "../shop/hooks.ts";', ["before_create"]],
  ["patterns", "export const { before_create, checked: before_update } = made;", ["before_create", "before_update"]],
  ["over lines", "export {\n  f as before_create,\n  g as before_upsert,\n};", ["before_create", "before_upsert"]],
  ["all of another module", 'export * from "../shop/more.ts";', ["before_upsert"]],
  ["types", "export type before_create = 1;\nexport interface after_create {}", []],
  ["comments", "// export const before_create = f;\n/*\nexport const after_create = f;\n*/", []],
  ["texts", "const text = `\nexport const before_create = f;\n`;", []],
  ["a text with slashes", 'const a = "http://x/*"; \nexport const before_create = f; // */', ["before_create"]],
  ["no hooks", "export const other = 1;\nconst before_create = f;", []],
])("%s", async (_, text, expected) => {
  const { root, write } = project();
  write("models/hooks/orders.ts", text);
  // They pass each other on.
  write("models/shop/more.ts", 'export * from "../hooks/orders.ts";\nexport const before_upsert = f;');
  expect([...(await exportedHooks(root, "models/hooks/orders.ts"))]).toEqual(expected);
});
