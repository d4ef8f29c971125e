/** Why a plan of rows cannot exist. */
export class Impossible extends Error {}

/** Choices between alternatives, made in the order of a list of numbers. Further choices take the first alternative. */
export class Choices {
  readonly #picked: readonly number[];
  /** The number of alternatives of each choice so far. */
  readonly counts: number[] = [];

  constructor(picked: readonly number[]) {
    this.#picked = picked;
  }

  pick<T>(alternatives: readonly [T, ...T[]]): T {
    const index = (this.#picked[this.counts.length] ?? 0) % alternatives.length;
    this.counts.push(alternatives.length);
    return alternatives[index] ?? alternatives[0];
  }
}

/**
 * Lists of choices to try after the first one: first those that differ in one choice, then random ones. `counts` are the
 * alternatives of the first attempt.
 */
export function otherChoices(counts: readonly number[], most: number, random: () => number): number[][] {
  const single = counts.flatMap((count, index) =>
    Array.from({ length: count - 1 }, (_, other) => [...counts.slice(0, index).fill(0), other + 1]),
  );
  const more = counts.filter((count) => count > 1).length > 1 ? Math.ceil(most / 2) : 0;
  const mixed = Array.from({ length: more }, () => counts.map((count) => Math.floor(random() * count)));
  return [...single.slice(0, most - more), ...mixed];
}
