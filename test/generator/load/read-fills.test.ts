import { expect, test } from "vitest";
import { readFills } from "#generator/load/read-fills";

const slug = { before_create: ["slug"] };

test.each<[string, string, Record<string, string[]>]>([
  ["a literal", 'export const fills = { before_create: ["slug"] } as const;', slug],
  ["without a semicolon", 'export const fills = { before_create: ["slug"] } as const\n', slug],
  ["on one line without blanks", `export const fills={'before_create':['slug']}as const`, slug],
  [
    "over lines, with commas at the end and comments",
    'export const fills = {\n  // made\n  "before_create": [\n    "slug", /* and */\n    "code",\n  ],\n  before_upsert: [],\n} as const;',
    { before_create: ["slug", "code"], before_upsert: [] },
  ],
  ["of a type", 'export const fills = { before_create: ["slug"] } as const satisfies H["fills"];', slug],
  ["of nothing", "export const fills = {} as const;", {}],
  ["with a template", "export const fills = { before_create: [`slug`] } as const;", slug],
  ["with an escape", 'export const fills = { before_create: ["sl\\u0075g"] } as const;', slug],
  ["behind another constant", 'export const a = 1, fills = { before_create: ["slug"] } as const;', slug],
  ["after others", 'const fills_of = 1;\n  export const fills = { x: ["a b"] } as const;', { x: ["a b"] }],
])("%s", (_, text, expected) => {
  const lists = readFills("books.ts", text)?.lists ?? [];
  const read = lists.map(({ hook, fields }) => [hook.value, fields.map(({ value }) => value)]);
  expect(Object.fromEntries(read)).toEqual(expected);
});

test.each([
  ["without as const", 'export const fills = { before_create: ["slug"] };'],
  ["of a variable", "export const fills = { before_create: names } as const;"],
  ["of a variable in the list", "export const fills = { before_create: [slug] } as const;"],
  ["with a spread", "export const fills = { ...others } as const;"],
  ["with a spread in the list", 'export const fills = { before_create: [...names, "slug"] } as const;'],
  ["with a computed key", 'export const fills = { [hook]: ["slug"] } as const;'],
  ["that can change", 'export let fills = { before_create: ["slug"] } as const;'],
  ["with a template of values", "export const fills = { before_create: [`$" + "{slug}`] } as const;"],
  ["made by a function", "export const fills = made();"],
  ["with a type of its own", 'export const fills: Fills = { before_create: ["slug"] } as const;'],
  ["of another shape", 'export const fills = ["slug"] as const;'],
  ["with a text for a list", 'export const fills = { before_create: "slug" } as const;'],
  ["without an end", 'export const fills = { before_create: ["slug"'],
])("none that can be read: %s", (_, text) => {
  const offset = text.indexOf("fills");
  expect(readFills("books.ts", text)).toEqual({ at: { file: "books.ts", offset, length: 5 }, lists: null });
});

test.each([
  ["nothing", ""],
  ["one that is not exported", 'const fills = { before_create: ["slug"] } as const;'],
  ["another name", 'export const fillsMore = { before_create: ["slug"] } as const;'],
  ["a comment", '/*\nexport const fills = { before_create: ["slug"] } as const;\n*/'],
  ["a text", "const text = `\nexport const fills = {} as const;\n`;"],
  ["a type", "export type fills = {};"],
])("no fills: %s", (_, text) => {
  expect(readFills("books.ts", text)).toBeNull();
});

test("each name has its place", () => {
  const text = 'export const fills = { before_create: ["slug", "é", "code"] } as const;';
  const [list] = readFills("books.ts", text)?.lists ?? [];
  const shown = [list?.hook, ...(list?.fields ?? [])].map((part) =>
    text.slice(part?.at.offset, (part?.at.offset ?? 0) + (part?.at.length ?? 0)),
  );
  expect(shown).toEqual(["before_create", '"slug"', '"é"', '"code"']);
});
