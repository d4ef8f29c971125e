import fc from "fast-check";
import type { Dice } from "./dice.ts";
import { drawn } from "./drawn.ts";
import type { Caller } from "./judge.ts";
import { randomRule } from "./random-rule.ts";
import { uuidOf } from "./rows.ts";
import { type Rule, simpler, textOf } from "./rule.ts";
import { type Shapes, shapeOf } from "./shapes.ts";

export const guest: Caller = { user_id: null, role: "guest", email: null };

// biome-ignore format: many a line
const ids = [
  "1", "2", "3", "4", "5", "6", "7", "8", "9", "77", uuidOf(1), "abc", "1e3", " 1", "12345678901234567890",
  "9223372036854775807", "-1", "' or true --",
];

/** Callers of whom most have a row in `users`, and some have claims of an odd sort. */
export function randomCaller(dice: Dice): Caller {
  if (dice.chance(12)) return guest;
  const user_id = dice.chance(75) ? dice.pick(ids.slice(0, 9)) : dice.pick(ids);
  return { user_id, role: dice.pick(["a", "b", "%"]), email: dice.pick(["", "a@x.org", "%", "a%@x.org"]) };
}

/** Who calls, and the condition on the rows of a model that everybody has. */
export interface RuleCase {
  readonly model: string;
  readonly rule: Rule;
  /** What the role `a` has besides. */
  readonly also: Rule | null;
  readonly caller: Caller;
}

/** The rules that the caller has are OR-combined. */
export function wholeRule({ rule, also, caller }: RuleCase): Rule {
  return also === null || caller.role !== "a" ? rule : { is: "or", parts: [rule, also] };
}

/** Random conditions on random models. A failure shows the text of the condition. */
export function ruleCases(shapes: Shapes): fc.Arbitrary<RuleCase> {
  return drawn(
    (dice) => legible(randomCase(dice, shapes)),
    (value) => simplerCases(value, shapes).map(legible),
  );
}

export function randomCase(dice: Dice, shapes: Shapes): RuleCase {
  const model = dice.pick(Object.keys(shapes).filter((key) => key !== "users"));
  const rule = () => randomRule(dice, shapes, shapeOf(shapes, model));
  return { model, rule: rule(), also: dice.chance(10) ? rule() : null, caller: randomCaller(dice) };
}

/** The same with less of a condition, or asked by a guest. */
export function simplerCases<Case extends RuleCase>(value: Case, shapes: Shapes): Case[] {
  const { rule, also, caller } = value;
  const shape = shapeOf(shapes, value.model);
  const less = (whole: Rule) => simpler(whole, shapes, shape, shape);
  return [
    ...(also === null ? [] : [null, ...less(also)].map((second) => ({ ...value, also: second }))),
    ...less(rule).map((first) => ({ ...value, rule: first })),
    ...(caller === guest ? [] : [{ ...value, caller: guest }]),
  ];
}

/** How a case reads in a report. */
export function caseText({ model, rule, also, caller }: RuleCase): string {
  const second = also === null ? "" : `\n  role a also: ${textOf(also)}`;
  return `${model}: ${textOf(rule)}${second}\n  asked by ${JSON.stringify(caller)}`;
}

/** How fast-check prints a case. */
function legible(value: RuleCase): RuleCase {
  return Object.assign({ ...value }, { [fc.toStringMethod]: () => caseText(value) });
}
