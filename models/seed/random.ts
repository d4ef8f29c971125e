/** A small stream of pseudo-random numbers: the same seed gives the same shop everywhere. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  /** The next number from 0 to 1, without 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A whole number, both ends included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.int(0, list.length - 1)];
    if (item === undefined) throw new Error("cannot pick from an empty list");
    return item;
  }

  /** As `pick`, with a liking for the front of the list: some books sell, most do not. */
  pickPopular<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() ** 2.5 * list.length)] ?? this.pick(list);
  }

  /** The value, or null in this share of cases. */
  maybe<T>(probability: number, value: () => T): T | null {
    return this.chance(probability) ? value() : null;
  }

  text(length: number, alphabet: string): string {
    return Array.from({ length }, () => alphabet[this.int(0, alphabet.length - 1)]).join("");
  }

  /** A version 4 UUID. */
  uuid(): string {
    const hex = this.text(32, "0123456789abcdef");
    const variant = this.pick(["8", "9", "a", "b"]);
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
  }
}
