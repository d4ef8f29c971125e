import { join } from "node:path";
import { expect, test } from "vitest";
import { generate } from "#generator/pipeline/generate";

test("the fixture's generated folder is what the generator makes of its models", async () => {
  const { problems, diagnostics } = await generate({
    root: join(import.meta.dirname, "..", ".."),
    models: "test/http/fixture/models.json",
    manifest: "test/http/fixture/manifest.json",
    out: "test/http/fixture/generated",
    mode: "check",
    force: false,
    accepted: [],
    rebase: [],
    base: null,
    compile: false,
  });
  // To make it so: npm run generate -- --models … --manifest … --out test/http/fixture/generated
  expect(problems).toEqual([]);
  expect(diagnostics).toEqual([]);
});
