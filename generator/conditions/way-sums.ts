import type { Demand, Way } from "./demands.ts";

/** So many ways of one condition are told apart. What has more is one demand, which only equals itself. */
const maxWays = 64;

/** The one way of one demand. */
export function single(demand: Demand): readonly Way[] {
  return [new Map([[demand.key, demand]])];
}

/** The ways of OR. */
export function anyOf(items: readonly (readonly Way[])[]): readonly Way[] {
  const ways = items.flat();
  return ways.length > maxWays ? [asDemand(ways)] : ways;
}

/** Distributes AND over OR, the items with the fewest ways first, whatever their order in the condition. */
export function allOf(items: readonly (readonly Way[])[]): readonly Way[] {
  const sorted = items
    .map((ways) => ({ ways, text: keyOf(ways) }))
    .sort((a, b) => a.ways.length - b.ways.length || (a.text < b.text ? -1 : 1));
  let product: readonly Way[] = [new Map()];
  for (const { ways } of sorted) {
    const factor = product.length * ways.length > maxWays ? [asDemand(ways)] : ways;
    product = product.flatMap((way) => factor.map((other) => new Map([...way, ...other])));
  }
  return product;
}

function asDemand(ways: readonly Way[]): Way {
  const key = keyOf(ways);
  return new Map([[key, { key, text: `one of ${ways.length} alternatives`, kind: "other" }]]);
}

function keyOf(ways: readonly Way[]): string {
  return JSON.stringify(
    ways
      .map((way) => [...way.keys()].sort())
      .map((way) => JSON.stringify(way))
      .sort(),
  );
}
