import type fc from "fast-check";

/** Random choices that a seed settles. */
export class Dice {
  readonly #random: fc.Random;

  constructor(random: fc.Random) {
    this.#random = random;
  }

  /** A whole number, both ends included. */
  between(least: number, most: number): number {
    return this.#random.nextInt(least, most);
  }

  /** True so many times in a hundred. */
  chance(percent: number): boolean {
    return this.between(1, 100) <= percent;
  }

  pick<T>(list: readonly T[]): T {
    const found = list[this.between(0, list.length - 1)];
    if (found === undefined) throw new Error("there is nothing to pick from");
    return found;
  }

  /** As many of the list as the dice say, in its order. */
  some<T>(list: readonly T[], percent: number): T[] {
    return list.filter(() => this.chance(percent));
  }

  /** One of the choices, each as likely as its weight says. */
  weighted<T>(choices: readonly (readonly [weight: number, make: () => T])[]): T {
    let rest = this.between(
      1,
      choices.reduce((sum, [weight]) => sum + weight, 0),
    );
    for (const [weight, make] of choices) {
      rest -= weight;
      if (rest <= 0) return make();
    }
    throw new Error("there is nothing to choose from");
  }
}
