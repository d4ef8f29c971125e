import { expect, test } from "vitest";
import { printFile } from "#generator/emit/file";
import { docComment, literal, propertyName, stringLiteral } from "#generator/emit/literal";
import { camelCase, identifiers } from "#generator/emit/typescript-names";

test("literals read back as the data they print", () => {
  const data = { a: [1, -0.5, true, null, "x"], "b c": {}, default: { class: '\u2028\u202e\u0000"\\`' } };
  // biome-ignore lint/security/noGlobalEval: the point is what JavaScript makes of it
  expect(eval(`(${literal(data)})`)).toEqual(data);
});

test("a property named __proto__ stays a property", () => {
  expect(propertyName("__proto__")).toBe('["__proto__"]');
});

test("template placeholders in values are escaped", () => {
  expect(stringLiteral(["$", "{x}"].join(""))).toBe('"\\u0024{x}"');
});

test("text that reads otherwise than it runs is written out", () => {
  expect(stringLiteral("a\u202eb\u2066\u200b\u{e0041}")).toBe('"a\\u202eb\\u2066\\u200b\\udb40\\udc41"');
});

test.each([
  [null, null],
  ["  ", null],
  ["Plain.", "/** Plain. */"],
  ["*/ process.exit() /*", "/** *\\/ process.exit() /* */"],
  ["@ts-expect-error", "/** \\@ts-expect-error */"],
  ["See me@ts-lab.org.\n  @ts-ignore", "/**\n * See me@ts-lab.org.\n *   \\@ts-ignore\n */"],
  ["biome-ignore lint: no", "/** biome\\-ignore lint: no */"],
  ["one\r\ntwo\u2028three", "/**\n * one\n * two\n * three\n */"],
])("doc comment of %j", (description, comment) => {
  expect(docComment(description)).toBe(comment);
});

test.each([
  ["order_items", "orderItems"],
  ["SUPER-ADMIN", "superAdmin"],
  ["orderItems", "orderItems"],
  ["ключ", ""],
])("%s in camel case is %s", (text, name) => {
  expect(camelCase(text)).toBe(name);
});

test("identifiers are free, not reserved, and never given out twice", () => {
  const nameOf = identifiers(["model"], "role");
  const names = ["admin", "admin", "default", "model", "", "1st", "admin2", "arguments"].map(nameOf);
  // biome-ignore format: one case a line
  expect(names).toEqual([
    "admin", "admin2", "defaultRole", "modelRole", "role", "role1st", "admin22", "argumentsRole",
  ]);
});

test("a file begins with where it comes from, and imports relative to itself", () => {
  const text = printFile(
    "generated/models/books/routes.ts",
    "from models/shop.models.json",
    [
      { from: "runtime/api/rest/index.ts", names: ["crud", "type Call"] },
      { from: "models/hooks/books.ts", namespace: "hooks" },
      { from: "./model.ts", names: ["model"], typeOnly: true },
    ],
    "body();\n",
  );
  // biome-ignore format: many a line
  expect(text.split("\n").slice(1)).toEqual([
    'import { crud, type Call } from "../../../runtime/api/rest/index.ts";', 'import * as hooks from "../../../models/hooks/books.ts";',
    'import type { model } from "./model.ts";', "", "body();", "",
  ]);
  expect(text).toMatch(/^\/\/ Made by `npm run generate` from models\/shop.models.json\n/);
});
