import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { rowsThatHold } from "#cli/conditions/index";
import { type EvaluatedPart, evaluateParts, existingRows, mostRejected } from "#cli/explain/evaluate-parts";
import { admittedIds } from "./support/admitted.ts";
import { shrunk } from "./support/drawn.ts";
import { type Found, foundAt, reached, truth, truthAt, type World } from "./support/judge.ts";
import { type RuleCase, ruleCases } from "./support/random-case.ts";
import type { Rule } from "./support/rule.ts";
import { treeOf } from "./support/rule-tree.ts";
import { shapeOf } from "./support/shapes.ts";
import { type RuleWorld, ruleWorld } from "./support/world.ts";

/** A part without texts and values, as the judge of the tests has it. */
interface Expected {
  readonly truth: boolean | null;
  readonly parts: readonly Expected[];
  readonly rows?: { readonly total: number; readonly matched: number; readonly rejected: readonly unknown[] };
}

function judged(rule: Rule, at: Found, itself: Found, world: World): Expected {
  const whole = { truth: truthAt(rule, at, itself, world), parts: [] };
  const inner = (part: Rule) => judged(part, at, itself, world);
  switch (rule.is) {
    case "and":
    case "or":
      // The builders make nested junctions of one kind flat.
      return {
        ...whole,
        parts: rule.parts.flatMap((part) => (part.is === rule.is ? inner(part).parts : [inner(part)])),
      };
    case "not":
      return { ...whole, parts: [inner(rule.part)] };
    case "exists": {
      const { where } = rule;
      const found = reached(rule.itself ? itself : at, rule.over, world);
      if (where === null)
        return { ...whole, rows: { total: found.length, matched: found.length, rejected: [] } };
      const rejected = found
        .filter((one) => truthAt(where, one, itself, world) !== true)
        .sort((one, other) => Number(one.row["id"]) - Number(other.row["id"]))
        .map((one) => ({ id: String(one.row["id"]), part: judged(where, one, itself, world) }));
      const matched = found.length - rejected.length;
      return { ...whole, rows: { total: found.length, matched, rejected: rejected.slice(0, mostRejected) } };
    }
    default:
      return whole;
  }
}

function bare({ truth, parts, rows }: EvaluatedPart): Expected {
  const rest = { truth, parts: parts.map(bare) };
  if (rows === undefined) return rest;
  const rejected = rows.rejected.map(({ id, part }) => ({ id, part: bare(part) }));
  return { ...rest, rows: { ...rows, rejected } };
}

describe("the parts of random conditions", () => {
  let world: RuleWorld;

  beforeAll(async () => {
    world = await ruleWorld(11);
  });

  function asked({ model, rule, caller }: RuleCase) {
    const described = world.models.get(model);
    if (described === undefined) throw new Error(`there is no model ${model}`);
    const shape = shapeOf(world.shapes, model);
    const rows = world.tables[model] ?? [];
    const ids = rows.map(({ id }) => String(id));
    const tree = treeOf(rule, world.shapes, shape);
    return { described, shape, rows, ids, tree, caller };
  }

  it("are true, false or unknown for each row as the rules of SQL say", async () => {
    await fc.assert(
      fc.asyncProperty(ruleCases(world.shapes), async (one) => {
        const { described, shape, rows, ids, tree, caller } = asked(one);
        const evaluation = { connection: world.database, models: world.models };
        const found = await evaluateParts(evaluation, existingRows(described, ids), [tree], caller);
        const judging = { shapes: world.shapes, tables: world.tables, caller, now: Date.now() };
        const expected = rows.map((row) =>
          judged(one.rule, foundAt(shape, row), foundAt(shape, row), judging),
        );
        const byId = new Map(found.map(({ id, parts }) => [id, parts.map(bare)]));
        expect(ids.map((id) => byId.get(id))).toEqual(expected.map((part) => [part]));
        for (const row of rows)
          expect(byId.get(String(row["id"]))?.[0]?.truth).toBe(truth(one.rule, shape, row, judging));
      }),
      shrunk(60),
    );
  });

  it("rowsThatHold finds the rows that a read finds, soft-deleted ones too", async () => {
    await fc.assert(
      fc.asyncProperty(ruleCases(world.shapes), async (drawn) => {
        const one = { ...drawn, also: null };
        const { described, ids, tree, caller } = asked(one);
        const evaluation = { connection: world.database, models: world.models };
        expect(await rowsThatHold(evaluation, described, tree, caller, ids)).toEqual(admittedIds(world, one));
        expect(await rowsThatHold(evaluation, described, null, caller, ids)).toHaveLength(ids.length);
        expect(await rowsThatHold(evaluation, described, tree, caller, [])).toEqual([]);
      }),
      shrunk(20),
    );
  });
});
