import { expect, test } from "vitest";
import { editedText } from "#generator/introspect/again/edit-text";

const text = `{
  "$schema": "x",
  "film": { "fields": { "b": { "type": "bigint", "default": 9007199254740993 }, "10": 1.50, "2": "\\u00e9" } },
  "note": {}
}
`;

// biome-ignore format: one case a line
test.each<[string, (file: Record<string, unknown>) => unknown, string]>([
  ["no difference", (file) => file, text],
  ["a further key is the last one", (file) => ({ ...file, more: 1 }), text.replace('"note": {}', '"note": {},\n  "more": 1')],
  ["a key that is gone", ({ note: _, ...file }) => file, text.replace(',\n  "note": {}', "")],
  ["another value", (file) => ({ ...file, $schema: "y" }), text.replace('"x"', '"y"')],
  ["a list", (file) => ({ ...file, $schema: ["y"] }), text.replace('"x"', '[\n    "y"\n  ]')],
])("%s: the rest stays, as it is spelled", (_, change, expected) => {
  const before: Record<string, unknown> = JSON.parse(text);
  const plain = (json: string) => json.replaceAll(/\s+/g, "");
  expect(plain(editedText(text, before, change(before)))).toBe(plain(expected));
});
