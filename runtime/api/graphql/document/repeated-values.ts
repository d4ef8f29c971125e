/** What the values of variables may weigh together where they stand a second time or more. */
const mostRepeated = 1_000_000;
/** Of a value, beside its text: each element of a list is checked on its own. */
const weightOfOne = 10;

/**
 * Counts what variables bring that stand in several places: a list that fills a body could otherwise be read and bound
 * hundreds of times. False once that is too much; the first place of each is free, since the body is bounded.
 */
export class RepeatedValues {
  readonly #weights = new Map<string, number | null>();
  #repeated = 0;

  /** Counts one more place where a variable stands. */
  admit(name: string, value: unknown): boolean {
    const known = this.#weights.get(name);
    if (known === undefined) {
      this.#weights.set(name, null);
      return true;
    }
    const weight = known ?? weightOf(value);
    this.#weights.set(name, weight);
    this.#repeated += weight;
    return this.#repeated <= mostRepeated;
  }
}

function weightOf(value: unknown): number {
  if (typeof value === "string") return weightOfOne + value.length;
  if (typeof value !== "object" || value === null) return weightOfOne;
  const names = Array.isArray(value) ? [] : Object.keys(value);
  return [...names, ...Object.values(value)].reduce((sum, item) => sum + weightOf(item), weightOfOne);
}
