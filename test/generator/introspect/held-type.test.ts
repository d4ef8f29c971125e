import { expect, test } from "vitest";
import { heldTypeOf } from "#generator/introspect/as-found/held-type";

// biome-ignore format: one case a line
test.each<[printed: string, enumType: string, held: string | null]>([
  ["mood", "mood", "mood"],
  ['"Mood"', "Mood", "Mood"],
  ['"Mood"[]', "Mood", "Mood[]"],
  ['"Sales"."Mood"', "Sales.Mood", "Sales.Mood"],
  // A `db_type` cannot name these.
  ['"my.mood"', "my.mood", null],
  ['"my.schema".mood', "my.schema.mood", null],
  ['"Name"', "Name", null],
  ['"mood(1)"', "mood(1)", null],
])("an enum type %s", (type, enumType, held) => {
  const column = { type, baseType: null, enumValues: ["a"], enumType, dimensions: type.endsWith("[]") ? 1 : 0 };
  expect(heldTypeOf(column)?.column ?? null).toBe(held);
});
