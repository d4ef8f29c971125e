import { describe, expect, it } from "vitest";
import { BoundedCache } from "#runtime/core/concurrency/memo";

describe("BoundedCache", () => {
  const cache = () => new BoundedCache<{ n: number }>({ entries: 3, weight: 10 });

  it("keeps the last added values, by number", () => {
    const some = cache();
    for (const n of [1, 2, 3, 4]) some.add(`${n}`, { n }, 1);
    expect(["1", "2", "3", "4"].map((key) => some.get(key)?.n)).toEqual([undefined, 2, 3, 4]);
  });

  it("keeps the last added values, by weight", () => {
    const some = cache();
    some.add("1", { n: 1 }, 5);
    some.add("2", { n: 2 }, 5);
    some.add("3", { n: 3 }, 6);
    expect(["1", "2", "3"].map((key) => some.get(key)?.n)).toEqual([undefined, undefined, 3]);
    some.add("4", { n: 4 }, 4);
    expect(some.get("3")?.n).toBe(3);
  });

  it("replaces an existing value and its weight", () => {
    const some = cache();
    some.add("1", { n: 1 }, 9);
    some.add("1", { n: 2 }, 1);
    some.add("2", { n: 3 }, 9);
    expect(["1", "2"].map((key) => some.get(key)?.n)).toEqual([2, 3]);
  });

  it("returns a value that is too heavy to keep", () => {
    const some = cache();
    expect(some.add("1", { n: 1 }, 11)).toEqual({ n: 1 });
    expect(some.get("1")).toBeUndefined();
    some.add("2", { n: 2 }, 10);
    expect(some.get("2")?.n).toBe(2);
  });
});
