import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { compileCondition } from "#generator/conditions/index";
import type { RawCondition } from "#generator/load/raw";
import { buildGraph, type ModelGraph } from "#generator/resolve/model-graph";
import { conditionScope } from "#generator/resolve/scope-of-model";
import { and, defineCondition } from "#runtime/models/access/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import { admittedBy, admittedIds } from "./support/admitted.ts";
import type { Dice } from "./support/dice.ts";
import { drawn, shrunk } from "./support/drawn.ts";
import { graphOf } from "./support/graph-of.ts";
import { type RuleCase, randomCase } from "./support/random-case.ts";
import { randomRule } from "./support/random-rule.ts";
import { type FieldTerm, type Rule, type SubjectTerm, textOf, type ValueTerm } from "./support/rule.ts";
import { linkOf, type Shapes, shapeOf } from "./support/shapes.ts";
import { type RuleWorld, ruleWorld } from "./support/world.ts";

/** A rule and a definition that it calls behind a path. */
interface NamedCase extends RuleCase {
  readonly definition: Rule;
  readonly on: string;
  readonly path: readonly string[];
}

function namedCase(dice: Dice, shapes: Shapes): NamedCase {
  const one = { ...randomCase(dice, shapes), also: null };
  const path: string[] = [];
  let on = one.model;
  for (let length = dice.pick([0, 1, 1, 2, 3]); length > 0; length--) {
    const single = Object.entries(shapeOf(shapes, on).links).filter(([, { kind }]) => kind !== "has_many");
    if (single.length === 0) break;
    const [name, link] = dice.pick(single);
    path.push(name);
    on = link.model;
  }
  return { ...one, on, path, definition: randomRule(dice, shapes, shapeOf(shapes, on)) };
}

/** The rule as it is written out behind a path, by hand. */
function behind(path: readonly string[], rule: Rule, depth = 0): Rule {
  const way = ({ itself, over }: Pick<FieldTerm, "itself" | "over">) => ({
    itself: itself && depth > 0,
    over: depth === 0 || itself ? [...path, ...over] : over,
  });
  const moved = <Term extends FieldTerm | SubjectTerm | ValueTerm>(term: Term): Term =>
    term.is === "field" ? { ...term, ...way(term) } : term;
  switch (rule.is) {
    case "and":
    case "or":
      return { ...rule, parts: rule.parts.map((part) => behind(path, part, depth)) };
    case "not":
      return { ...rule, part: behind(path, rule.part, depth) };
    case "exists": {
      const where = rule.where === null ? null : behind(path, rule.where, depth + 1);
      return { ...rule, ...way(rule), where };
    }
    case "compare":
      return { ...rule, left: moved(rule.left), right: moved(rule.right) };
    default:
      return { ...rule, left: moved(rule.left) };
  }
}

const nowhere = { file: "models/models.json", offset: 0, length: 1 };

describe("a call of a named condition", () => {
  let world: RuleWorld;
  let graph: ModelGraph;

  beforeAll(async () => {
    world = await ruleWorld(7);
    graph = await graphOf(world.shapes);
  });

  /** What the generator makes of a text in a model's rule, with a definition `named`. */
  function compile(text: string, { model, on, definition }: NamedCase) {
    const named: RawCondition = {
      name: "named",
      at: nowhere,
      on: { value: on, at: nowhere },
      condition: { value: textOf(definition), at: nowhere },
      description: null,
    };
    const own = buildGraph(
      [...graph.values()].map(({ raw }) => raw),
      [named],
    );
    const node = own.get(model);
    if (node === undefined) throw new Error(`there is no model ${model}`);
    return compileCondition(text, conditionScope(own, node));
  }

  it("means its condition behind the path, in the generator and in policies", async () => {
    const cases = drawn((dice) => namedCase(dice, world.shapes));
    await fc.assert(
      fc.asyncProperty(cases, async (one) => {
        const whole: Rule = { is: "and", parts: [one.rule, behind(one.path, one.definition)] };
        const written = compile(textOf(whole), one);
        const call = `named(${one.path.join(".")})`;
        const called = compile(`(${textOf(one.rule)}) AND ${call}`, one);
        expect(called.problems.map(({ code }) => code)).toEqual(written.problems.map(({ code }) => code));
        if (called.condition === null) return;
        expect(called.condition).toEqual(written.condition);
        const before = compile(textOf(one.rule), one).condition;
        const definition = compile("named()", { ...one, model: one.on }).condition;
        if (before === null || definition === null) throw new Error("a part does not compile");
        const inPolicy: Condition = and(before, defineCondition(definition)(joinNames(one, world.shapes)));
        expect(inPolicy).toEqual(called.condition);
        const found = await admittedBy(world, one, called.condition);
        expect(found).toEqual(admittedIds(world, { ...one, rule: whole }));
      }),
      shrunk(150),
    );
  });
});

/** The path by join names, as policies have it. */
function joinNames({ model, path }: NamedCase, shapes: Shapes): string {
  let at = shapeOf(shapes, model);
  return path
    .map((name) => {
      const link = linkOf(at, name);
      at = shapeOf(shapes, link.model);
      return link.name;
    })
    .join(".");
}
