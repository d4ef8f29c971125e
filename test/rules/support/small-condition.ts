import type { Condition, Moment } from "#vocabulary/conditions/conditions";
import type { Dice } from "./dice.ts";
import { values } from "./rows.ts";
import { columnsOf, elementOf, isList, linkOf, type Shape, type Shapes, shapeOf } from "./shapes.ts";

/** Draws conditions of the same few words, so that two of them have to do with each other. */
export function smallConditions(dice: Dice, shapes: Shapes, shape: Shape): () => Condition {
  const many = Object.keys(shape.links).filter((name) => name !== "this");
  const single = many.filter((name) => linkOf(shape, name).kind !== "has_many");
  const draw: (readonly [number, () => Condition])[] = [[1, () => timed(dice, shape)]];
  const own = leaves(dice, shape, "");
  draw.push([1, () => dice.pick(own)]);
  if (single.length > 0) {
    const path = dice.pick(single);
    const over = leaves(dice, shapeOf(shapes, linkOf(shape, path).model), `${path}.`);
    draw.push([3, () => dice.pick(over)]);
  }
  if (many.length > 0) {
    const path = dice.pick(many);
    const inner = leaves(dice, shapeOf(shapes, linkOf(shape, path).model), "");
    draw.push([3, () => existing(dice, path, inner)]);
  }
  const part = () => negated(dice, dice.weighted(draw));
  return () => (dice.chance(60) ? part() : { op: dice.pick(["and", "or"]), conditions: [part(), part()] });
}

function negated(dice: Dice, condition: Condition): Condition {
  return dice.chance(30) ? { op: "not", condition } : condition;
}

/** On two columns, of times where there are some. */
function leaves(dice: Dice, shape: Shape, path: string): Condition[] {
  const names = Object.keys(shape.fields).filter((name) => name !== "code");
  return [dice.pick(names), dice.pick(names)].flatMap((name): Condition[] => {
    const field = `${path}${name}`;
    const kind = columnsOf(shape)[name] ?? "string";
    const ofValue = values[isList(kind) ? elementOf(kind) : kind];
    const [value, other] = [dice.pick(ofValue), dice.pick(ofValue)];
    const nulls: Condition[] = [
      { op: "is_null", field },
      { op: "is_not_null", field },
    ];
    if (isList(kind))
      return [
        ...nulls,
        { op: "contains", field, value },
        { op: "overlaps", field, values: [value] },
        { op: "overlaps", field, values: [value, other] },
      ];
    return [
      ...nulls,
      { op: "eq", field, value },
      { op: "ne", field, value },
      { op: "in", field, values: [value, other] },
    ];
  });
}

function existing(dice: Dice, path: string, leaf: readonly Condition[]): Condition {
  const one = () => negated(dice, dice.pick(leaf));
  const where = dice.weighted<Condition | null>([
    [1, () => null],
    [3, one],
    [2, () => ({ op: "and", conditions: [one(), one()] })],
    [2, () => ({ op: "or", conditions: [one(), one()] })],
  ]);
  return { op: "exists", path, where };
}

const hours = [-240, -121, -120, -119, -5, -1, 0, 1, 5, 119, 121];

/** Times of rows are some hours and five days away. */
function timed(dice: Dice, shape: Shape): Condition {
  const named = ["at", "day"].filter((name) => name in shape.fields);
  return dice.pick(timedConditions(named.length === 0 ? "created_at" : dice.pick(named)));
}

/** All bounds of a column of times, of which some are on one day. */
export function timedConditions(field: string): Condition[] {
  const moments = hours.map((amount): Moment => {
    return amount === 0 ? { placeholder: "now" } : { placeholder: "now", offset: { amount, unit: "hour" } };
  });
  return (["lt", "lte", "gt", "gte"] as const).flatMap((op) =>
    moments.map((value) => ({ op, field, value })),
  );
}

/** On each relation that leads to the first of several rows, by itself and within EXISTS. */
export function firstConditions(shapes: Shapes, { links }: Shape): Condition[] {
  return Object.entries(links).flatMap(([path, { kind, model }]) => {
    if (kind !== "has_one") return [];
    const codes = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `k${n}`);
    const leaves = codes.flatMap((value): Condition[] => [
      { op: "eq", field: `${path}.code`, value },
      { op: "exists", path, where: { op: "eq", field: "code", value } },
    ]);
    const all = "code" in shapeOf(shapes, model).fields ? leaves : [];
    return all.flatMap((leaf): Condition[] => [leaf, { op: "not", condition: leaf }]);
  });
}
