import fc from "fast-check";
import { expect, it } from "vitest";
import { makeWitnesses, type WitnessWorld } from "#cli/check-access/witnesses/index";
import { drawn, shrunk } from "../../rules/support/drawn.ts";
import { modelsFileOf } from "../../rules/support/graph-of.ts";
import { caseText, type RuleCase, ruleCases, wholeRule } from "../../rules/support/random-case.ts";
import { randomShapes } from "../../rules/support/random-shapes.ts";
import { treeOf } from "../../rules/support/rule-tree.ts";
import { type Shapes, shapeOf } from "../../rules/support/shapes.ts";
import { wrongWitnesses } from "./support/witnesses-of-app.ts";
import { worldOfModels } from "./support/world-of-models.ts";

function shapesOf(seed: number): Shapes {
  const [shapes] = fc.sample(drawn(randomShapes), { seed, numRuns: 1 });
  if (shapes === undefined) throw new Error("there are no models");
  return shapes;
}

/** The number of witnesses that are made, and of those that are missing. */
async function counted(world: WitnessWorld, shapes: Shapes, value: RuleCase) {
  const { caller } = value;
  const condition = treeOf(wholeRule(value), shapes, shapeOf(shapes, value.model));
  const { rows, missing } = await makeWitnesses(world, {
    model: value.model,
    condition,
    caller,
    state: "live",
  });
  expect(await wrongWitnesses(world, value.model, condition, rows), caseText(value)).toEqual([]);
  return { made: rows.length, missing: missing.length };
}

// On a busy machine this takes minutes.
it.each([1, 2])("no witness of a random condition is wrong: models %i", { timeout: 240_000 }, async (n) => {
  const shapes = shapesOf(n);
  const world = await worldOfModels(modelsFileOf(shapes));
  const text =
    "insert into users (id, email, role) select n, 'u' || n || '@x.org', 'a' from generate_series(1, 9) n";
  await world.database.run({ name: null, text }, []);
  let [made, missing] = [0, 0];
  await fc.assert(
    fc.asyncProperty(ruleCases(shapes), async (value) => {
      const counts = await counted(world, shapes, value);
      made += counts.made;
      missing += counts.missing;
    }),
    shrunk(60),
  );
  expect(made).toBeGreaterThan(missing);
});
