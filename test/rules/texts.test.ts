import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { checkService } from "../../generator/check/index.ts";
import { compileCondition } from "../../generator/conditions/index.ts";
import { createReporter } from "../../generator/diagnostics/index.ts";
import { loadInputs } from "../../generator/load/index.ts";
import { buildGraph, type ModelGraph } from "../../generator/resolve/model-graph.ts";
import { conditionScope } from "../../generator/resolve/scope-of-model.ts";
import { createDatabase, type Database } from "../../runtime/database/index.ts";
import { afterFile } from "../support/after-file.ts";
import { silent } from "../support/silent-log.ts";
import { admittedBy } from "./support/admitted.ts";
import { shrunk } from "./support/drawn.ts";
import { admittedIds } from "./support/expected.ts";
import { modelsFile } from "./support/models-file.ts";
import { ruleCases } from "./support/random-case.ts";
import { textOf } from "./support/rule.ts";
import type { Shapes } from "./support/shapes.ts";
import { type RuleWorld, ruleWorld } from "./support/world.ts";

/** The models as the generator reads them from a file. */
async function graphOf(shapes: Shapes): Promise<ModelGraph> {
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

describe("random conditions as texts of a models file", () => {
  let world: RuleWorld;
  let graph: ModelGraph;
  let database: Database;

  beforeAll(async () => {
    world = await ruleWorld(5);
    graph = await graphOf(world.shapes);
    database = createDatabase({ url: world.db.url, maxConnections: 2, log: silent });
    afterFile(() => database.close());
  });

  it("are read, and admit the rows that an evaluation by hand admits", async () => {
    await fc.assert(
      fc.asyncProperty(ruleCases(world.shapes), async (one) => {
        const node = graph.get(one.model);
        if (node === undefined) throw new Error(`there is no model ${one.model}`);
        const { condition, problems } = compileCondition(textOf(one.rule), conditionScope(graph, node));
        expect(problems).toEqual([]);
        if (condition === null) throw new Error("nothing was compiled");
        const found = await admittedBy(world, database, one, condition);
        expect(found).toEqual(admittedIds(world, { ...one, also: null }));
      }),
      shrunk(200),
    );
  });
});
