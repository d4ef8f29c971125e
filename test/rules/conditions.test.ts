import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { admittedBy, admittedIds } from "./support/admitted.ts";
import { shrunk } from "./support/drawn.ts";
import { ruleCases, wholeRule } from "./support/random-case.ts";
import { treeOf } from "./support/rule-tree.ts";
import { shapeOf } from "./support/shapes.ts";
import { type RuleWorld, ruleWorld } from "./support/world.ts";

describe.each([1, 2])("random conditions over relations, in world %i", (seed) => {
  let world: RuleWorld;

  beforeAll(async () => {
    world = await ruleWorld(seed);
  });

  it("admit the rows that an evaluation by hand admits", async () => {
    await fc.assert(
      fc.asyncProperty(ruleCases(world.shapes), async (one) => {
        const condition = treeOf(wholeRule(one), world.shapes, shapeOf(world.shapes, one.model));
        const found = await admittedBy(world, one, condition);
        expect(found).toEqual(admittedIds(world, one));
      }),
      shrunk(150),
    );
  });
});
