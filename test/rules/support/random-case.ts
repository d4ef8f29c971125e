import fc from "fast-check";
import type { Dice } from "./dice.ts";
import { drawn } from "./drawn.ts";
import type { Caller } from "./judge.ts";
import { randomRule } from "./random-rule.ts";
import { uuidOf } from "./rows.ts";
import { type Rule, simpler, textOf } from "./rule.ts";
import { type Shapes, shapeOf } from "./shapes.ts";

export const guest: Caller = { user_id: null, role: "guest", email: null };

const ids = [
  "1",
  "2",
  "3",
  "4",
  "5",
  "6",
  "7",
  "8",
  "9",
  "77",
  uuidOf(1),
  "abc",
  "1e3",
  " 1",
  "12345678901234567890",
  "9223372036854775807",
  "-1",
  "' or true --",
];

/** Callers of whom most have a row in `users`, and some have claims of an odd sort. */
export function randomCaller(dice: Dice): Caller {
  if (dice.chance(12)) return guest;
  const user_id = dice.chance(75) ? dice.pick(ids.slice(0, 9)) : dice.pick(ids);
  return { user_id, role: dice.pick(["a", "b", "%"]), email: dice.pick(["", "a@x.org", "%", "a%@x.org"]) };
}

/** A condition on the rows of a model, and who calls. */
export interface RuleCase {
  readonly model: string;
  readonly rule: Rule;
  readonly caller: Caller;
}

/** Random conditions on random models. A failure shows the text of the condition. */
export function ruleCases(shapes: Shapes): fc.Arbitrary<RuleCase> {
  const models = Object.keys(shapes).filter((key) => key !== "users");
  return drawn(
    (dice) => {
      const model = dice.pick(models);
      return legible({
        model,
        rule: randomRule(dice, shapes, shapeOf(shapes, model)),
        caller: randomCaller(dice),
      });
    },
    (value) => simplerCases(value, shapes).map(legible),
  );
}

function simplerCases({ model, rule, caller }: RuleCase, shapes: Shapes): RuleCase[] {
  const shape = shapeOf(shapes, model);
  const callers = caller === guest ? [] : [guest];
  return [
    ...simpler(rule, shapes, shape, shape).map((less) => ({ model, rule: less, caller })),
    ...callers.map((less) => ({ model, rule, caller: less })),
  ];
}

/** How fast-check prints a case. */
function legible(value: RuleCase): RuleCase {
  const text = () => `${value.model}: ${textOf(value.rule)}\n  asked by ${JSON.stringify(value.caller)}`;
  return Object.assign({ ...value }, { [fc.toStringMethod]: text });
}
