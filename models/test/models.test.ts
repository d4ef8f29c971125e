import { join } from "node:path";
import { expect, test } from "vitest";
import { readDefinition } from "#generator/pipeline/generate";

test("the models have no problem at all", async () => {
  const places = { models: "models/models.json", manifest: "models/manifest.json" };
  const result = await readDefinition({ ...places, root: join(import.meta.dirname, "..", "..") });
  expect(result.diagnostics).toEqual([]);
  expect(result.definition?.name).toBe("bookshop");
  expect(result.inputs).toEqual([
    ...Object.values(places),
    "models/errors.json",
    "models/mails/ask-for-reviews.txt",
    "models/mails/shipped.html",
    "models/mails/shipped.txt",
    "models/jobs/ask-for-reviews.ts",
    "models/jobs/cancel-unpaid.ts",
  ]);
});
