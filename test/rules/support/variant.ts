import type { Condition, Moment, Value } from "#vocabulary/conditions/conditions";
import type { Dice } from "./dice.ts";
import { randomRule } from "./random-rule.ts";
import { treeOf } from "./rule-tree.ts";
import { endOf, type Shape, type Shapes } from "./shapes.ts";

/** What changes of a condition need to know. */
interface Place {
  readonly dice: Dice;
  readonly shapes: Shapes;
  /** The model whose fields names are. */
  readonly at: Shape;
  readonly itself: Shape;
  readonly inside: boolean;
}

type Exists = Extract<Condition, { op: "exists" }>;
type Chain = Extract<Condition, { op: "and" | "or" }>;

/** A condition with a change or two: some open less, some more, some the same in another form. */
export function variantOf(condition: Condition, dice: Dice, shapes: Shapes, shape: Shape): Condition {
  const place = { dice, shapes, at: shape, itself: shape, inside: false };
  let made = condition;
  for (let changes = dice.pick([1, 1, 2, 3]); changes > 0; changes--) made = changed(made, place);
  return made;
}

/** The change is at this part, or somewhere within it. */
function changed(condition: Condition, place: Place): Condition {
  const { dice } = place;
  switch (condition.op) {
    case "and":
    case "or":
      return dice.chance(65) ? inPart(condition, place) : chainChanged(condition, place);
    case "not":
      return dice.chance(70)
        ? { op: "not", condition: changed(condition.condition, place) }
        : wrapped(condition, place);
    case "exists":
      return dice.chance(80) ? existsChanged(condition, place) : wrapped(condition, place);
    default:
      return dice.chance(50) ? wrapped(condition, place) : leafChanged(condition, place);
  }
}

function inPart({ op, conditions }: Chain, place: Place): Condition {
  const chosen = place.dice.between(0, conditions.length - 1);
  return {
    op,
    conditions: conditions.map((part, index) => (index === chosen ? changed(part, place) : part)),
  };
}

function chainChanged({ op, conditions }: Chain, place: Place): Condition {
  const { dice } = place;
  const chosen = dice.between(0, conditions.length - 1);
  return dice.weighted<Condition>([
    [3, () => ({ op, conditions: [...conditions, another(place)] })],
    [3, () => fewer({ op, conditions }, chosen)],
    [1, () => ({ op, conditions: [...conditions].reverse() })],
    [1, () => ({ op: op === "and" ? "or" : "and", conditions })],
    [1, () => deMorgan({ op, conditions })],
    [2, () => distributed({ op, conditions })],
  ]);
}

function fewer({ op, conditions }: Chain, without: number): Condition {
  const [first, ...rest] = conditions.filter((_, index) => index !== without);
  if (first === undefined) return { op, conditions };
  return rest.length === 0 ? first : { op, conditions: [first, ...rest] };
}

function deMorgan({ op, conditions }: Chain): Condition {
  const other = op === "and" ? "or" : "and";
  const parts = conditions.map((condition): Condition => ({ op: "not", condition }));
  return { op: "not", condition: { op: other, conditions: parts } };
}

/** `a AND (b OR c)` as `(a AND b) OR (a AND c)`, and the other way round. */
function distributed({ op, conditions }: Chain): Condition {
  const inner = conditions.find(
    (part): part is Chain => (part.op === "and" || part.op === "or") && part.op !== op,
  );
  if (inner === undefined) return { op, conditions: [...conditions].reverse() };
  const others = conditions.filter((part) => part !== inner);
  return {
    op: inner.op,
    conditions: inner.conditions.map((part) => ({ op, conditions: [...others, part] })),
  };
}

function wrapped(condition: Condition, place: Place): Condition {
  const other = another(place);
  return place.dice.weighted<Condition>([
    [3, () => ({ op: "and", conditions: [condition, other] })],
    [2, () => ({ op: "or", conditions: [other, condition] })],
    [1, () => ({ op: "not", condition })],
    [1, () => ({ op: "not", condition: { op: "not", condition } })],
    [1, () => other],
  ]);
}

/** A condition that is valid there too. A relation called `this` has another meaning within EXISTS. */
function another({ dice, shapes, at, inside }: Place): Condition {
  const made = treeOf(randomRule(dice, shapes, at), shapes, at);
  const here = !inside || !JSON.stringify(made).includes('"this');
  return here ? made : { op: "is_not_null", field: "id" };
}

function existsChanged({ op, path, where }: Exists, place: Place): Condition {
  const { dice, shapes, at, itself, inside } = place;
  const names = path.split(".");
  const isItself = names[0] === "this" && inside;
  const end = isItself ? endOf(shapes, itself, names.slice(1)) : endOf(shapes, at, names);
  const inner = { ...place, at: end, inside: true };
  const exists = (condition: Condition | null): Condition => ({ op, path, where: condition });
  if (where === null) return exists(another(inner));
  return dice.weighted<Condition>([
    [5, () => exists(changed(where, inner))],
    [1, () => exists(null)],
    [1, () => exists({ op: "and", conditions: [where, another(inner)] })],
    [
      2,
      () =>
        where.op === "and" || where.op === "or"
          ? { op: where.op, conditions: where.conditions.map((part) => exists(part)) }
          : exists(where),
    ],
  ]);
}

type Leaf = Exclude<Condition, { op: "and" | "or" | "not" | "exists" }>;

const signs = ["eq", "ne", "lt", "lte", "gt", "gte"] as const;
const turned = { eq: "eq", ne: "ne", lt: "gt", lte: "gte", gt: "lt", gte: "lte" } as const;

function leafChanged(leaf: Leaf, { dice }: Place): Condition {
  switch (leaf.op) {
    case "in":
    case "not_in": {
      const values = dice.some(leaf.values, 60);
      return values.length === 0 ? { ...leaf, op: leaf.op === "in" ? "not_in" : "in" } : { ...leaf, values };
    }
    case "overlaps": {
      const [first = "a", ...others] = dice.some(leaf.values, 60);
      return others.length === 0
        ? { op: "contains", field: leaf.field, value: first }
        : { ...leaf, values: [first, ...others] };
    }
    case "contains":
      return { op: "overlaps", field: leaf.field, values: [leaf.value] };
    case "between":
      return dice.chance(50)
        ? { op: "gte", field: leaf.field, value: leaf.from }
        : { ...leaf, from: shifted(leaf.from, dice), to: shifted(leaf.to, dice) };
    case "is_null":
    case "is_not_null":
      return { ...leaf, op: leaf.op === "is_null" ? "is_not_null" : "is_null" };
    case "like":
    case "ilike":
      return { ...leaf, op: leaf.op === "like" ? "ilike" : "like" };
    default: {
      const { op, field, value } = leaf;
      if (typeof value === "object" && "field" in value)
        return dice.chance(70) && typeof field === "string"
          ? { op: turned[op], field: value.field, value: { field } }
          : leaf;
      if (isMoment(value))
        return { op: dice.chance(60) ? op : dice.pick(signs), field, value: shifted(value, dice) };
      return dice.chance(50)
        ? { op: "in", field, values: [value] }
        : { op: "between", field, from: value, to: value };
    }
  }
}

function isMoment(value: Value): value is Moment {
  return typeof value === "object" && "placeholder" in value && value.placeholder === "now";
}

const moments: readonly Moment[] = [
  { placeholder: "now" },
  { placeholder: "now", offset: { amount: 1, unit: "second" } },
  { placeholder: "now", offset: { amount: -5, unit: "hour" } },
  { placeholder: "now", offset: { amount: 5, unit: "hour" } },
  { placeholder: "now", offset: { amount: -10, unit: "day" } },
  { placeholder: "now", offset: { amount: -240, unit: "hour" } },
];

function shifted<Given extends Value>(value: Given, dice: Dice): Given | Moment {
  return isMoment(value) ? dice.pick(moments) : value;
}
