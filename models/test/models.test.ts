import { join } from "node:path";
import { expect, test } from "vitest";
import { loadService } from "../../generator/pipeline/load-service.ts";

test("the models have no problem at all", async () => {
  const places = { models: "models/models.json", manifest: "models/manifest.json" };
  const result = await loadService({ ...places, root: join(import.meta.dirname, "..", "..") });
  expect(result.diagnostics).toEqual([]);
  expect(result.definition?.name).toBe("bookshop");
  expect(result.inputs).toEqual(Object.values(places));
});
