import fc from "fast-check";
import { beforeAll, describe, expect, it } from "vitest";
import { type ConditionNames, disjunctsOf, isCovered } from "#generator/conditions/index";
import { conditionText } from "#generator/emit/views/condition-view";
import { conditionSql } from "#runtime/data/sql/conditions/condition";
import { columnsOfTable, plan, sql, tableSql } from "#runtime/data/sql/sql";
import type { Model, Relation } from "#runtime/models/index";
import type { Condition } from "#vocabulary/conditions/conditions";
import type { Dice } from "./support/dice.ts";
import { drawn, shrunk } from "./support/drawn.ts";
import type { Caller } from "./support/judge.ts";
import { guest } from "./support/random-case.ts";
import { randomRule } from "./support/random-rule.ts";
import { treeOf } from "./support/rule-tree.ts";
import { columnsOf, type Shapes, shapeOf } from "./support/shapes.ts";
import { firstConditions, smallConditions, timedConditions } from "./support/small-condition.ts";
import { variantOf } from "./support/variant.ts";
import { type RuleWorld, ruleWorld } from "./support/world.ts";

type Models = ReadonlyMap<string, Model>;

/** A condition on a model before and after, perhaps without soft delete, or with swapped relations. */
interface Pair {
  readonly model: string;
  readonly before: Condition;
  readonly after: Condition;
  readonly modelsBefore: Models;
  readonly modelsAfter: Models;
  readonly callers: readonly Caller[];
}

const callers: readonly Caller[] = [
  guest,
  ...["1", "2", "3", "9"].map((user_id) => ({ user_id, role: "a", email: "a@x.org" })),
];

type Two = readonly [Condition, Condition];

/** A condition, and a variant of it with a change or two. */
function changedPair(dice: Dice, shapes: Shapes, model: string): Two {
  const shape = shapeOf(shapes, model);
  const one = treeOf(randomRule(dice, shapes, shape), shapes, shape);
  const other = variantOf(one, dice, shapes, shape);
  return dice.chance(50) ? [one, other] : [other, one];
}

/** Two conditions of the same few words. */
function smallPair(dice: Dice, shapes: Shapes, model: string): Two {
  const draw = smallConditions(dice, shapes, shapeOf(shapes, model));
  return [draw(), draw()];
}

function randomPair(dice: Dice, { shapes, models }: RuleWorld, made: typeof changedPair): Pair {
  const model = dice.pick(Object.keys(shapes).filter((key) => key !== "users"));
  const [before, after] = made(dice, shapes, model);
  const modelsOf = () => (dice.chance(70) ? models : otherModels(dice, models, [before, after]));
  const asking = dice.some(callers, 40);
  return { model, before, after, modelsBefore: modelsOf(), modelsAfter: modelsOf(), callers: asking };
}

/** Models without soft delete, if no condition names the column, or with swapped names of relations. */
function otherModels(dice: Dice, models: Models, conditions: readonly Condition[]): Models {
  const names = JSON.stringify(conditions);
  return new Map(
    [...models].map(([key, model]) => {
      const forgets = !names.includes("deleted_at") && key !== "users" && dice.chance(50);
      const relations = dice.chance(40) ? swapped(dice, model.relations) : model.relations;
      return [key, { ...model, softDelete: model.softDelete && !forgets, relations }];
    }),
  );
}

type Relations = Readonly<Record<string, Relation>>;

/** Two relations of one kind to one model change their places, so that every condition is one still. */
function swapped(dice: Dice, relations: Relations): Relations {
  const pairs = Object.entries(relations).flatMap(([name, one]) =>
    Object.entries(relations)
      .filter(([other, { kind, model }]) => other > name && kind === one.kind && model === one.model)
      .map(([other]) => [name, other] as const),
  );
  if (pairs.length === 0) return relations;
  const [a, b] = dice.pick(pairs);
  const [first, second] = [relations[a], relations[b]];
  return first === undefined || second === undefined ? relations : { ...relations, [a]: second, [b]: first };
}

/** What names mean, by the models that the server has. */
function namingOf(shapes: Shapes, models: Models, key: string): ConditionNames {
  const fieldsOf = (model: string) => new Set(Object.keys(columnsOf(shapeOf(shapes, model))));
  return {
    fields: fieldsOf(key),
    nameOf: (name) => name,
    callerColumn: (name) => name,
    pathOf: (names) => {
      let end = key;
      const hops = names.map((name) => {
        const from = end;
        const relation = models.get(from)?.relations[name];
        if (relation === undefined) throw new Error(`${from} has no relation ${name}`);
        const { kind, field, references } = relation;
        end = relation.model;
        const first = kind === "has_one";
        const live = models.get(end)?.softDelete === true;
        return {
          leads: `${from}.${field} ${end}.${references}${first ? " first" : ""}`,
          live,
          first,
          many: false,
        };
      });
      return { hops, fields: fieldsOf(end), nameOf: (name) => name };
    },
  };
}

describe.each([3, 4])("a condition that is proven to be no wider than another one, in world %i", (seed) => {
  let world: RuleWorld;

  beforeAll(async () => {
    world = await ruleWorld(seed);
  });

  function isProven({ model, before, after, modelsBefore, modelsAfter }: Pair): boolean {
    const known = disjunctsOf(conditionText(before), namingOf(world.shapes, modelsBefore, model));
    const now = disjunctsOf(conditionText(after), namingOf(world.shapes, modelsAfter, model));
    return now.every((part) => isCovered(part, known));
  }

  /** The rows that the condition after opens to a caller and the one before did not. */
  async function opened({ model, before, after, modelsBefore, modelsAfter }: Pair, caller: Caller) {
    const own = world.models.get(model);
    if (own === undefined) throw new Error(`there is no model ${model}`);
    const row = columnsOfTable(own, "t");
    const where = (condition: Condition, models: Models) => conditionSql(condition, own, models, row);
    const text = sql(
      "select ? from ? as t where (?) is true and (?) is not true",
      row("id"),
      tableSql(own),
      where(after, modelsAfter),
      where(before, modelsBefore),
    );
    const made = plan(text);
    return world.database.run({ name: null, text: made.statement.text }, made.bind([], caller));
  }

  async function expectNothingOpened(pairs: readonly Pair[]): Promise<number> {
    const proven = pairs.filter(isProven);
    for (const pair of proven) expect([pair, await opened(pair, guest)]).toEqual([pair, []]);
    return proven.length;
  }

  it("opens no row that was not open: all bounds that move with the clock", async () => {
    const { shapes, models } = world;
    const both = { modelsBefore: models, modelsAfter: models, callers: [guest] };
    for (const field of ["at", "day"]) {
      const [model = ""] = Object.keys(shapes).filter((key) => field in shapeOf(shapes, key).fields);
      const bounds = timedConditions(field);
      const pairs = bounds.flatMap((before) => bounds.map((after) => ({ model, before, after, ...both })));
      expect(await expectNothingOpened(pairs)).toBeGreaterThan(bounds.length);
    }
  });

  it("opens no row that was not open: the first of several, once deleted ones count or do not", async () => {
    const { shapes, models } = world;
    const forgetting = new Map([...models].map(([key, model]) => [key, { ...model, softDelete: false }]));
    const sides = [models, forgetting].flatMap((modelsBefore) =>
      [models, forgetting].map((modelsAfter) => ({ modelsBefore, modelsAfter, callers: [guest] })),
    );
    const pairs = Object.values(shapes).flatMap((shape) =>
      firstConditions(shapes, shape).flatMap((condition) =>
        sides.map((both) => ({ model: shape.key, before: condition, after: condition, ...both })),
      ),
    );
    expect(await expectNothingOpened(pairs)).toBeGreaterThan(pairs.length / 4);
  });

  /** The most runs, and how many of them must prove something about two texts, and about two with EXISTS. */
  it.each([
    ["changed", changedPair, 800, 100, 30],
    ["small", smallPair, 12_000, 300, 60],
  ] as const)(
    "opens no row to any caller that was not open before: %s conditions",
    async (_, made, most, few, fewExists) => {
      const seen = { changed: 0, exists: 0 };
      await fc.assert(
        fc.asyncProperty(
          drawn((dice) => legible(randomPair(dice, world, made))),
          async (pair) => {
            if (!isProven(pair)) return;
            const texts = [pair.before, pair.after].map(conditionText);
            if (texts[0] !== texts[1]) seen.changed++;
            if (texts[0] !== texts[1] && texts.every((text) => text.includes("EXISTS"))) seen.exists++;
            for (const caller of pair.callers) expect(await opened(pair, caller)).toEqual([]);
          },
        ),
        shrunk(most),
      );
      expect(seen.changed).toBeGreaterThan(few);
      expect(seen.exists).toBeGreaterThan(fewExists);
    },
  );
});

/** How fast-check prints a pair. */
function legible(pair: Pair): Pair {
  const softDeletes = (models: Models) =>
    [...models.values()].filter(({ softDelete }) => softDelete).map(({ key }) => key);
  return Object.assign(pair, {
    [fc.toStringMethod]: () =>
      [
        `on ${pair.model}`,
        `before: ${conditionText(pair.before)} (soft deletes of ${softDeletes(pair.modelsBefore).join()})`,
        `after:  ${conditionText(pair.after)} (soft deletes of ${softDeletes(pair.modelsAfter).join()})`,
      ].join("\n"),
  });
}
