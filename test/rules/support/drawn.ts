import fc from "fast-check";
import { runs } from "../../support/seeded.ts";
import { Dice } from "./dice.ts";

/** Random values with their simpler variants, for smaller counter-examples. */
export function drawn<T>(
  make: (dice: Dice) => T,
  simpler: (value: T) => readonly T[] = () => [],
): fc.Arbitrary<T> {
  return new Drawn(make, simpler);
}

class Drawn<T> extends fc.Arbitrary<T> {
  readonly #make: (dice: Dice) => T;
  readonly #simpler: (value: T) => readonly T[];

  constructor(make: (dice: Dice) => T, simpler: (value: T) => readonly T[]) {
    super();
    this.#make = make;
    this.#simpler = simpler;
  }

  override generate(random: fc.Random): fc.Value<T> {
    return new fc.Value(this.#make(new Dice(random)), undefined);
  }

  override canShrinkWithoutContext(_: unknown): _ is T {
    return false;
  }

  override shrink(value: T): fc.Stream<fc.Value<T>> {
    return fc.Stream.of(...this.#simpler(value)).map((less) => new fc.Value(less, undefined));
  }
}

/** The same runs each time; a failure is made smaller. `HOSTILE_SEED` and `HOSTILE_FACTOR` look further. */
export function shrunk(most: number): { seed: number; numRuns: number } {
  const { seed, numRuns } = runs(most);
  return { seed, numRuns };
}
