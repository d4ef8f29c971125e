import { Ajv2019 } from "ajv/dist/2019.js";
import { expect, test } from "vitest";
import { schemaKeywords } from "#generator/load/unknown-keywords";

test("the keywords that the generator knows are those that schemas may have at the start", () => {
  const known = new Ajv2019({ meta: false }).RULES.keywords;
  expect(Object.keys(schemaKeywords).sort()).toEqual(Object.keys(known).sort());
});
