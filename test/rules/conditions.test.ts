import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "#runtime/core/database/index";
import { afterFile } from "../support/after-file.ts";
import { silent } from "../support/silent-log.ts";
import { admittedBy } from "./support/admitted.ts";
import { patience, shrunk } from "./support/drawn.ts";
import { admittedIds } from "./support/expected.ts";
import { ruleCases, wholeRule } from "./support/random-case.ts";
import { treeOf } from "./support/rule-tree.ts";
import { shapeOf } from "./support/shapes.ts";
import { type RuleWorld, ruleWorld } from "./support/world.ts";

describe.each([1, 2])("random conditions over relations, in world %i", (seed) => {
  let world: RuleWorld;
  let database: Database;

  beforeAll(async () => {
    world = await ruleWorld(seed);
    database = createDatabase({ url: world.db.url, maxConnections: 2, log: silent });
    afterFile(() => database.close());
  });

  it(
    "admit the rows that an evaluation by hand admits",
    async () => {
      await fc.assert(
        fc.asyncProperty(ruleCases(world.shapes), async (one) => {
          const condition = treeOf(wholeRule(one), world.shapes, shapeOf(world.shapes, one.model));
          const found = await admittedBy(world, database, one, condition);
          expect(found).toEqual(admittedIds(world, one));
        }),
        shrunk(150),
      );
    },
    patience,
  );
});
