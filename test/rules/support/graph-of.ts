import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import { checkService } from "#generator/check/index";
import { createReporter } from "#generator/diagnostics/index";
import { loadInputs } from "#generator/load/index";
import { buildGraph, type ModelGraph } from "#generator/resolve/model-graph";
import { afterFile } from "../../support/after-file.ts";
import { modelsFile } from "./models-file.ts";
import type { Shapes } from "./shapes.ts";

/** The models as the generator reads them from a file. */
export async function graphOf(shapes: Shapes): Promise<ModelGraph> {
  const root = mkdtempSync(join(tmpdir(), "kirak-rules-"));
  afterFile(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, "models"));
  writeFileSync(join(root, "models/models.json"), JSON.stringify(modelsFile(shapes)));
  writeFileSync(join(root, "models/manifest.json"), JSON.stringify({ name: "rules" }));
  const { report, findings, hasErrors } = createReporter();
  const places = { root, models: "models/models.json", manifest: "models/manifest.json" };
  const loaded = await loadInputs(places, report);
  const graph = buildGraph(loaded.models);
  checkService({ ...loaded, graph, report });
  expect(hasErrors(), JSON.stringify(findings())).toBe(false);
  return graph;
}
