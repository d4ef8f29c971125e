import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { compileCondition } from "#generator/conditions/index";
import type { ModelGraph } from "#generator/resolve/model-graph";
import { conditionScope } from "#generator/resolve/scope-of-model";
import { admittedBy, admittedIds } from "./support/admitted.ts";
import { shrunk } from "./support/drawn.ts";
import { graphOf } from "./support/graph-of.ts";
import { ruleCases } from "./support/random-case.ts";
import { textOf } from "./support/rule.ts";
import { type RuleWorld, ruleWorld } from "./support/world.ts";

describe("random conditions as texts of a models file", () => {
  let world: RuleWorld;
  let graph: ModelGraph;

  beforeAll(async () => {
    world = await ruleWorld(5);
    graph = await graphOf(world.shapes);
  });

  it("are read, and admit the rows that an evaluation by hand admits", async () => {
    await fc.assert(
      fc.asyncProperty(ruleCases(world.shapes), async (one) => {
        const node = graph.get(one.model);
        if (node === undefined) throw new Error(`there is no model ${one.model}`);
        const { condition, problems } = compileCondition(textOf(one.rule), conditionScope(graph, node));
        expect(problems).toEqual([]);
        if (condition === null) throw new Error("nothing was compiled");
        const found = await admittedBy(world, one, condition);
        expect(found).toEqual(admittedIds(world, { ...one, also: null }));
      }),
      shrunk(200),
    );
  });
});
