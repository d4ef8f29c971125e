import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { catalogue } from "#generator/diagnostics/index";

test("every code of the catalogue has a test in this folder", () => {
  const texts = readdirSync(import.meta.dirname).map((name) =>
    readFileSync(join(import.meta.dirname, name), "utf8"),
  );
  const asked = texts.flatMap((text) =>
    [...text.matchAll(/await printed\("([^"]+)"/g)].map(([, code]) => code),
  );
  expect(asked.sort()).toEqual(Object.keys(catalogue).sort());
});
