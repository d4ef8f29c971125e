import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { createDatabase, type Database } from "../../runtime/database/index.ts";
import { conditionSql } from "../../runtime/sql/condition-sql.ts";
import { columnsOfTable, plan, sql } from "../../runtime/sql/sql.ts";
import { afterFile } from "../support/after-file.ts";
import { silent } from "../support/silent-log.ts";
import { shrunk } from "./support/drawn.ts";
import { admittedIds } from "./support/expected.ts";
import { type RuleCase, ruleCases, wholeRule } from "./support/random-case.ts";
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

  async function admitted(one: RuleCase): Promise<unknown[]> {
    const { model, caller } = one;
    const { shapes, models } = world;
    const runtimeModel = models.get(model);
    if (runtimeModel === undefined) throw new Error(`there is no model ${model}`);
    const tree = treeOf(wholeRule(one), shapes, shapeOf(shapes, model));
    const where = conditionSql(tree, runtimeModel, models, columnsOfTable("t"));
    const made = plan(sql("select t.id from ?? as t where ? order by t.id", model, where));
    const found = await database.run({ name: null, text: made.statement.text }, made.bind([], caller));
    return found.map(([id]) => id);
  }

  it("admit the rows that an evaluation by hand admits", async () => {
    await fc.assert(
      fc.asyncProperty(ruleCases(world.shapes), async (one) => {
        expect(await admitted(one)).toEqual(admittedIds(world, one));
      }),
      shrunk(150),
    );
  });
});
